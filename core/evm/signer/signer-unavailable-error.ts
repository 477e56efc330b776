/** Nobody who has the key has signed. The message is for the client: it names no place and repeats nobody's words. */
export class SignerUnavailableError extends Error {
  override readonly name = 'SignerUnavailableError';

  constructor(cause?: unknown) {
    super('The signing key does not answer at the moment. Nothing was signed: send the same request again.', { cause });
  }
}
