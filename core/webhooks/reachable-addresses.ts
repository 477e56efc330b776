import { isIP } from 'node:net';
import type { AddressCheck } from './public-address.ts';
import type { ResolveHost } from './resolve-host.ts';
import { webhookLimits } from './webhook-limits.ts';

/** How hosts are turned into addresses that may be connected to. `timeoutMs` bounds one look-up. */
export type AddressRules = {
  readonly isAllowed: AddressCheck;
  readonly resolve: ResolveHost;
  readonly timeoutMs: number;
};

/** The literal IP address a URL's hostname is (brackets removed), or undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** Where a host may be connected; `isUnreported` where no one could tell its addresses. */
type Reachable = { readonly addresses: readonly string[]; readonly isUnreported: boolean };

/**
 * The addresses a host may be connected at. None when it has none, when the look-up fails or takes too long, and when
 * even one address is not allowed: a name that mixes public and private addresses is not one to trust. Never rejects.
 */
export async function reachableAddresses(hostname: string, rules: AddressRules): Promise<Reachable> {
  const literal = literalAddress(hostname);
  const reported = literal === undefined ? await resolveInTime(hostname, rules) : [literal];
  const addresses = reported?.every(rules.isAllowed) === true ? reported.slice(0, webhookLimits.addresses) : [];
  return { addresses, isUnreported: reported === undefined };
}

async function resolveInTime(hostname: string, rules: AddressRules): Promise<readonly string[] | undefined> {
  const signal = AbortSignal.timeout(rules.timeoutMs);
  const timeout = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const lookup = rules.resolve(hostname, signal).catch(() => undefined);
  return Promise.race([lookup, timeout]);
}
