import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser's request came from the dashboard's own pages, by headers that no script can set: `Origin`, which must
 * be the dashboard's if present, else `Sec-Fetch-Site`. Changes require one of them; a plain read without either relies on
 * the cookie's `SameSite`.
 */
export function isFromDashboard({ headers, method }: IncomingMessage, dashboard: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) return origin === dashboard;
  const isRead = method === 'GET' || method === 'HEAD';
  if (site === undefined) return isRead;
  // `none`: the user has typed the address.
  return site === 'same-origin' || (isRead && site === 'none');
}

/** Whether a request without a session may sign in: from the dashboard, or not from a browser. */
export function mayBeginSession({ headers }: IncomingMessage, dashboard: string): boolean {
  const { origin = dashboard, 'sec-fetch-site': site = 'same-origin' } = headers;
  return origin === dashboard && site === 'same-origin';
}
