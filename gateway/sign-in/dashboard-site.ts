import { createSessionCookie, type SessionCookie } from './session-cookie.ts';

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
