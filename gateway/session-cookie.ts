import type { IncomingMessage } from 'node:http';

/** The cookie that holds a session's secret. */
export type SessionCookie = {
  readonly name: string;
  /** What the browser sent; nothing when it sent none, or two that differ. */
  read(request: IncomingMessage): string | undefined;
  /** Value of `Set-Cookie` that sets it for some seconds. */
  set(session: string, seconds: number): string;
  /** Value of `Set-Cookie` that takes it away. */
  clear(): string;
};

/**
 * No script reads it, and it goes to no other site. Over https its name has `__Host-` in front (RFC 6265bis, section
 * 4.1.3.2): another host of the domain cannot set it. Plain http is for loopback alone, where browsers refuse that name.
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

/** Where browsers reach the dashboard, which is the one place that sessions are accepted from. */
export type DashboardSite = {
  /** As a browser writes it: scheme, host, and the port where it is not the scheme's own. */
  readonly origin: string;
  readonly cookie: SessionCookie;
};

export function createDashboardSite(publicUrl: string): DashboardSite {
  const { origin, protocol } = new URL(publicUrl);
  return { origin, cookie: createSessionCookie(protocol === 'https:' ? 'https' : 'loopback') };
}

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
