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
