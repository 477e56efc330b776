import type { Config } from '../../config/config-schema.ts';
import { type Finding, findingsAbout } from '../finding.ts';

/** Checks whether clients can be distinguished: the service has no TLS, so an https URL means that there is a proxy. */
export function checkProxies({ dashboard, gateway, holds }: Config): readonly Finding[] {
  if (dashboard.publicUrl?.startsWith('https:') !== true || gateway.trustedProxies.length > 0) return [];
  const { requestsPerSecond } = gateway.limits;
  const message =
    'gateway.trustedProxies is empty, but a proxy answers dashboard.publicUrl. All users behind it share the limits of one ' +
    `client address: ${requestsPerSecond} requests a second and ${holds.maxOpenHoldsPerClient} open operations.`;
  const remedy = 'Set gateway.trustedProxies to the addresses of the proxy, like ["127.0.0.1"].';
  return [findingsAbout('proxies').warning('proxies-untold', message, remedy)];
}
