import { createSessionCookie, type SessionCookie } from './session-cookie.ts';

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
