import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { WebhookConfig } from '../domain/core-config.ts';
import { webhookLimits } from './webhook-caller.ts';

type WebhookUrlVerdict = 'accepted' | 'not-a-url' | 'not-reachable';

/**
 * Whether a URL can be registered as a webhook.
 *
 * - `not-a-url`: not an absolute http(s) URL, longer than 2,048 characters, or with a user or password.
 * - `not-reachable`: plain http where only https is allowed, a name without an address or not resolved in time, or a host of
 *   which even one address is neither public nor in `config.allowedRanges`.
 *
 * Names change, so the same address check runs again on every connection of a callback.
 */
export async function checkWebhookUrl(
  url: string,
  config: WebhookConfig,
  resolve: ResolveHost = resolveHost,
): Promise<WebhookUrlVerdict> {
  const parsed = parseWebhookUrl(url, config);
  if (typeof parsed === 'string') return parsed;

  const timeoutMs = Math.min(config.timeoutMs, webhookLimits.timeoutMs);
  const rules = { isAllowed: createAddressCheck(config.allowedRanges), resolve, timeoutMs };
  const addresses = await reachableAddresses(parsed.hostname, rules);
  return addresses.length > 0 ? 'accepted' : 'not-reachable';
}

// The WHATWG parser repairs blanks, control characters, backslashes and missing slashes; a stored URL must not need that.
const plainHttpUrl = /^https?:\/\/[^\\\p{Cc}\p{Z}]+$/iu;

/**
 * Parses a webhook URL without any I/O: absolute http(s), no user or password, at most 2,048 characters as given and as
 * sent. `not-reachable` means plain http where only https is allowed. A fragment is permitted and never sent.
 */
export function parseWebhookUrl(
  url: string,
  config: Pick<WebhookConfig, 'allowHttp'>,
): URL | 'not-a-url' | 'not-reachable' {
  if (url.length > webhookLimits.urlLength || !plainHttpUrl.test(url) || !URL.canParse(url)) return 'not-a-url';
  const parsed = new URL(url);
  if (parsed.href.length > webhookLimits.urlLength) return 'not-a-url';
  if (parsed.username !== '' || parsed.password !== '') return 'not-a-url';
  if (parsed.protocol !== 'https:' && !config.allowHttp) return 'not-reachable';
  return parsed;
}

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

/**
 * The addresses at which a host may be contacted. Empty when it has none, when the lookup fails or takes too long, and when
 * even one address is not allowed: a name that mixes public and private addresses is not trusted. Never rejects.
 */
export async function reachableAddresses(hostname: string, rules: AddressRules): Promise<readonly string[]> {
  const literal = literalAddress(hostname);
  const reported = literal === undefined ? await resolveInTime(hostname, rules) : [literal];
  return reported?.every(rules.isAllowed) === true ? reported.slice(0, webhookLimits.addresses) : [];
}

async function resolveInTime(hostname: string, rules: AddressRules): Promise<readonly string[] | undefined> {
  const signal = AbortSignal.timeout(rules.timeoutMs);
  const timeout = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const lookup = rules.resolve(hostname, signal).catch(() => undefined);
  return Promise.race([lookup, timeout]);
}

/** True for an IP address (text, no brackets) that webhooks may use. Never throws. */
type AddressCheck = (address: string) => boolean;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

// All global unicast addresses that IANA has assigned; those outside (`::/96`, `64:ff9b:1::/48`, …) lead elsewhere.
const globalUnicast6: Range = ipaddr.parseCIDR('2000::/3');
// RFC 6052: an IPv4 address behind a translator, as DNS64 resolvers return on IPv6-only networks.
const translated4: Range = ipaddr.parseCIDR('64:ff9b::/96');
// Numerically a public address, but inside Azure it is the host's own management service.
const azureHost: Range = ipaddr.parseCIDR('168.63.129.16/32');

// The deprecated IPv4-compatible form, which ipaddr.js would read as the mapped one.
const compatible4 = /^::\d+\./;

function isIn(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

/** The IPv4 address that actually receives the packets of a mapped or translated IPv6 address; else the address itself. */
function unwrap(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (isIn(address, translated4)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}

function isPublicUnicast(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? !isIn(address, azureHost) : isIn(address, globalUnicast6);
}

/**
 * Builds the test that every webhook address must pass, at registration and at each connection: public unicast, or in one of
 * the operator's `allowedRanges` (CIDR, e.g. `127.0.0.0/8`). It rejects loopback, private, shared, link-local,
 * documentation, benchmark, multicast and reserved addresses, and tunnels (6to4, Teredo), whose far end can be any of these.
 *
 * @throws Error when a range is not CIDR notation: the operator's mistake must show at startup.
 */
export function createAddressCheck(allowedRanges: readonly string[]): AddressCheck {
  const allowed: Range[] = allowedRanges.map((range) => ipaddr.parseCIDR(range));
  return (text) => {
    // net.isIP only accepts the canonical forms; ipaddr.js would also read `127.1` or octal numbers.
    if (isIP(text) === 0 || compatible4.test(text)) return false;
    const address = unwrap(ipaddr.parse(text));
    return isPublicUnicast(address) || allowed.some((range) => isIn(address, range));
  };
}
