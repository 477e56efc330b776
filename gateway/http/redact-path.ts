import { redactCredentials } from './redact-credentials.ts';

const rpcKey = /^(\/api\/v\d+\/(?!public\/)[^/]*\/)[^/]+/;

/** Longest path that is logged. */
const maxLength = 200;

/** A request's path as it may be logged: no query, no apiKey, nothing that resembles a credential. */
export function redactPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return redactCredentials(path.slice(0, maxLength).replace(rpcKey, '$1[redacted]'));
}
