/**
 * The service cannot start. The message is a sentence for the operator; `tryAgain` distinguishes an outage (a node that does
 * not answer) from a configuration mistake.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly tryAgain: boolean;

  constructor(message: string, options: { readonly tryAgain: boolean; readonly cause?: unknown }) {
    super(message, options);
    this.tryAgain = options.tryAgain;
  }
}
