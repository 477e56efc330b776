import type { IncomingMessage } from 'node:http';

/**
 * Whether a request that a browser sent came from the dashboard's own pages, by what no script can set: `Origin`, which must
 * be the dashboard's wherever it is sent, else `Sec-Fetch-Site`. What changes something needs one of them; a plain read
 * without either has the cookie's `SameSite`.
 */
export function isFromDashboard({ headers, method }: IncomingMessage, dashboard: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) return origin === dashboard;
  const isRead = method === 'GET' || method === 'HEAD';
  if (site === undefined) return isRead;
  // `none`: a person has typed the address.
  return site === 'same-origin' || (isRead && site === 'none');
}

/** Whether a request without a session may sign in: from the dashboard, or from no browser. */
export function mayBeginSession({ headers }: IncomingMessage, dashboard: string): boolean {
  const { origin = dashboard, 'sec-fetch-site': site = 'same-origin' } = headers;
  return origin === dashboard && site === 'same-origin';
}
