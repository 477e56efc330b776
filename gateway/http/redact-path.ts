const apiKeyLike = /[A-Za-z0-9_-]+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const authTokenLike = /tf_[A-Za-z0-9_-]+/g;
const rpcKey = /^(\/api\/v\d+\/(?!public\/)[^/]*\/)[^/]+/;

/** Longest path that is logged. */
const maxLength = 200;

/** A request's path as it may be logged: no query, no apiKey, nothing that resembles a credential. */
export function redactPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path
    .slice(0, maxLength)
    .replace(rpcKey, '$1[redacted]')
    .replace(apiKeyLike, '[redacted]')
    .replace(authTokenLike, '[redacted]');
}
