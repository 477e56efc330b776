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
