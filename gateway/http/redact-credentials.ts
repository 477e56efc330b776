const apiKeyLike = /[A-Za-z0-9_-]+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** AuthTokens, and session secrets. */
const authTokenLike = /tfs?_[A-Za-z0-9_-]+/g;

/** External text in a form safe to log or repeat, without anything that resembles a credential. */
export function redactCredentials(text: string): string {
  return text.replace(apiKeyLike, '[redacted]').replace(authTokenLike, '[redacted]');
}
