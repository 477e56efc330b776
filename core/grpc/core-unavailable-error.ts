/**
 * The core could not be reached or did not answer in time. The outcome is unknown, unless `notBegun` says that no core has
 * begun with it: a changing call may have been carried out.
 */
export class CoreUnavailableError extends Error {
  override readonly name: string = 'CoreUnavailableError';
  readonly notBegun: boolean;
  /** The core answers, but has too many calls. */
  readonly isOverload: boolean;

  constructor(
    message: string,
    options: ErrorOptions & { readonly notBegun?: boolean; readonly isOverload?: boolean } = {},
  ) {
    super(message, options);
    this.notBegun = options.notBegun ?? false;
    this.isOverload = options.isOverload ?? false;
  }
}

/** The core does not have the operation: it runs an earlier version than its caller. No core has begun with it. */
export class CoreOutdatedError extends CoreUnavailableError {
  override readonly name = 'CoreOutdatedError';

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, notBegun: true });
  }
}
