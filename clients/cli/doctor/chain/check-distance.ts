import { readFileSync } from 'node:fs';
import type { ChainClient } from '../../../../core/node/chain-client.ts';
import type { Finding, FindingsAbout } from '../finding.ts';

/** Milliseconds of a round trip from which on the number of round trips is felt. */
const farMs = 20;
/** Of these the shortest counts: any may have waited for something else. */
const trials = 5;

/** Whether connections of this machine begin anew after a pause; undefined where it does not say so. */
export type ReadSlowStart = () => boolean | undefined;

/**
 * How far a node is. What simulates is 30 to 80 kB: by default Linux sends that in up to three round trips over a connection that
 * has been still for a second, and in one over any other.
 */
export async function checkDistance(
  client: ChainClient,
  find: FindingsAbout,
  readSlowStart: ReadSlowStart = readSlowStartAfterIdle,
): Promise<readonly Finding[]> {
  const ms = await shortestRoundTrip(client);
  if (ms === undefined) return [];
  const isSlow = ms >= farMs && readSlowStart() === true;
  if (!isSlow) return [find.sound('node-distance', `A round trip to it takes ${ms} ms.`)];
  return [
    find.warning(
      'node-far',
      `A round trip to it takes ${ms} ms, and a new operation waits for up to three: this machine sends slowly over connections that were still for a second.`,
      'Set net.ipv4.tcp_slow_start_after_idle to 0 (sysctl, or sysctls of the container), or take a node that is nearer.',
    ),
  ];
}

/** In whole milliseconds; undefined when it does not answer. */
async function shortestRoundTrip(client: ChainClient): Promise<number | undefined> {
  const taken: number[] = [];
  for (let trial = 0; trial < trials; trial += 1) {
    const begunAt = performance.now();
    if ((await client.getChainId().catch(() => undefined)) === undefined) return undefined;
    taken.push(performance.now() - begunAt);
  }
  return Math.round(Math.min(...taken));
}

function readSlowStartAfterIdle(): boolean | undefined {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_slow_start_after_idle', 'utf8').trim() === '1';
  } catch {
    // Only Linux has it.
    return undefined;
  }
}
