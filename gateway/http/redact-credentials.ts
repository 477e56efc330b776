const apiKeyLike = /[A-Za-z0-9_-]+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** AuthTokens, and the secrets of sessions. */
const authTokenLike = /tfs?_[A-Za-z0-9_-]+/g;

/** Text from outside that may be logged or repeated: nothing in it resembles a credential. */
export function redactCredentials(text: string): string {
  return text.replace(apiKeyLike, '[redacted]').replace(authTokenLike, '[redacted]');
}
