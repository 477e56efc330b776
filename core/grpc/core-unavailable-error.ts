/**
 * The core could not be reached or did not answer in time. Nothing is known about the outcome, unless `notBegun` says that
 * no core has begun with it: a call that changes something may have done so.
 */
export class CoreUnavailableError extends Error {
  override readonly name = 'CoreUnavailableError';
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
