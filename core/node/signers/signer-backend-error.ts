/**
 * Someone who has a key did not do what he was asked. The message says what, and repeats none of his words.
 * `isWrong`: he answered with something that this key cannot have made.
 */
export class SignerBackendError extends Error {
  override readonly name = 'SignerBackendError';
  readonly isWrong: boolean;

  constructor(message: string, options: { readonly isWrong?: boolean; readonly cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.isWrong = options.isWrong ?? false;
  }
}
