import { Resolver } from 'node:dns/promises';

/**
 * All IPv4 and IPv6 addresses of a host name, none when it has none. Gives up when `signal` aborts, and rejects where
 * no one could tell whether it has any.
 */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const attemptMs = 1_000;
const attempts = 2;
/** Answers of a name server: there is no such name, or none of its addresses is of this kind. */
const saysNone: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks DNS. Not `dns.lookup`: that runs in libuv's small thread pool, where a few names with a silent name server would
 * hold up every other look-up of the process, and it cannot be cancelled. So the hosts file is not consulted; only
 * `localhost` is known without asking (RFC 6761).
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
