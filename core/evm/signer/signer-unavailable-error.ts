/** No one who has the key has signed. The message is for the client: it names no place and repeats no one's words. */
export class SignerUnavailableError extends Error {
  override readonly name = 'SignerUnavailableError';

  constructor(cause?: unknown) {
    super('The signer does not respond at the moment. Nothing was signed; send the same request again.', { cause });
  }
}
