import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressCheck } from './public-address.ts';
import { webhookLimits } from './webhook-limits.ts';

/**
 * All IPv4 and IPv6 addresses of a host name, empty if it has none. Stops when `signal` aborts; rejects if they could not be
 * determined.
 */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const attemptMs = 1_000;
const attempts = 2;
/** Answers of a name server: the name does not exist, or has no address of this kind. */
const saysNone: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Queries DNS. Not `dns.lookup`: it runs in libuv's small thread pool, where a few names with a silent name server would
 * block every other lookup of the process, and it cannot be cancelled. So the hosts file is not read; only `localhost` is
 * resolved without a query (RFC 6761).
 */
export const resolveHost: ResolveHost = async (host, signal) => {
  const name = host.replace(/\.$/, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  if (signal.aborted) return [];

  const resolver = new Resolver({ timeout: attemptMs, tries: attempts });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const unreported = answers.find((answer) => answer.status === 'rejected' && !saysNone.has(answer.reason?.code));
    if (addresses.length === 0 && unreported?.status === 'rejected') throw unreported.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** Which addresses of a host may be used. `timeoutMs` bounds one lookup. */
export type AddressRules = {
  readonly isAllowed: AddressCheck;
  readonly resolve: ResolveHost;
  readonly timeoutMs: number;
};

/** The literal IP address in a URL's hostname (brackets removed), or undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** The allowed addresses of a host; `isUnreported` if they could not be determined. */
type Reachable = { readonly addresses: readonly string[]; readonly isUnreported: boolean };

/**
 * The addresses at which a host may be contacted. Empty when it has none, when the lookup fails or takes too long, and when
 * even one address is not allowed: a name that mixes public and private addresses is not trusted. Never rejects.
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
