/** Scheme, host with `*.` before it or not, and port. */
const form = /^([a-z][a-z0-9+.-]*:\/\/)(\*\.)?((?:[a-z0-9_-]+\.)*[a-z0-9_-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/;
const someLabels = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/**
 * Whether a text is an origin as browsers write it (`https://app.example.com`), or one for all names below a name
 * (`https://*.example.com`).
 */
export function isOriginPattern(text: string): boolean {
  const [, scheme = '', wildcard, host = '', port = ''] = form.exec(text) ?? [];
  if (host === '' || (wildcard !== undefined && !host.includes('.'))) return false;
  const { origin } = URL.parse(`${scheme}${host}${port}`) ?? {};
  // Only of what the web knows, a URL has an origin; of others a browser sends scheme and host.
  return origin === 'null' || origin === `${scheme}${host}${port}`;
}

/** Whether an origin is the pattern, or one of the names below it. `null`, which a browser sends for none, is neither. */
export function matchesOrigin(pattern: string, origin: string): boolean {
  const [before, after] = pattern.split('*');
  if (before === undefined || after === undefined) return pattern === origin;
  if (!origin.startsWith(before) || !origin.endsWith(after)) return false;
  return someLabels.test(origin.slice(before.length, -after.length));
}
