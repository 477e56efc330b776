import type { IncomingMessage } from 'node:http';

/** The cookie that holds a session's secret. */
export type SessionCookie = {
  readonly name: string;
  /** The session that the browser sent; undefined for none, or for two different ones. */
  read(request: IncomingMessage): string | undefined;
  /** Value of `Set-Cookie` that sets it for some seconds. */
  set(session: string, seconds: number): string;
  /** Value of `Set-Cookie` that removes it. */
  clear(): string;
};

/**
 * Scripts cannot read it, and it is not sent to other sites. Over https its name has the prefix `__Host-` (RFC 6265bis,
 * section 4.1.3.2), so that another host of the domain cannot set it. Plain http is only for loopback, where browsers refuse
 * that prefix.
 */
export function createSessionCookie(reachedBy: 'https' | 'loopback'): SessionCookie {
  const name = reachedBy === 'https' ? '__Host-tollfree-session' : 'tollfree-session';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${reachedBy === 'https' ? '; Secure' : ''}`;
  const prefix = `${name}=`;
  return {
    name,
    read({ headers }) {
      const sent = (headers.cookie ?? '')
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith(prefix))
        .map((part) => part.slice(prefix.length));
      const [session] = sent;
      return session !== '' && sent.every((other) => other === session) ? session : undefined;
    },
    set: (session, seconds) => `${prefix}${session}; Max-Age=${Math.max(0, Math.floor(seconds))}; ${attributes}`,
    clear: () => `${prefix}; Max-Age=0; ${attributes}`,
  };
}

/** The dashboard's address for browsers, the only origin from which sessions are accepted. */
export type DashboardSite = {
  /** As a browser writes it: scheme, host, and a non-default port. */
  readonly origin: string;
  readonly cookie: SessionCookie;
};

export function createDashboardSite(publicUrl: string): DashboardSite {
  const { origin, protocol } = new URL(publicUrl);
  return { origin, cookie: createSessionCookie(protocol === 'https:' ? 'https' : 'loopback') };
}

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
