/** The signing key could not be opened. The message says why and holds nothing of the key or the password. */
export class SignerConfigError extends Error {
  override readonly name = 'SignerConfigError';
}
