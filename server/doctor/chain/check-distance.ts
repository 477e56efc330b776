import { readFileSync } from 'node:fs';
import { entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { createFindSimulationCode } from '../../../core/gas/simulation/simulation-code.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import type { Finding, FindingsAbout } from '../finding.ts';

/** Round trip time in milliseconds from which the number of round trips matters. */
const farMs = 20;
/** The shortest of these trials counts: any of them may have been delayed. */
const trials = 5;

/** Whether this machine restarts TCP slow start after idle time; undefined if unknown. */
type ReadSlowStart = () => boolean | undefined;

/**
 * How far a node is. Unless it is on chain, the simulation code is sent with every question: by default Linux needs up to
 * three round trips for that on a connection that was idle for a second, and one on others.
 */
export async function checkDistance(
  chain: Pick<ChainSection, 'entryPoints' | 'confirmations'>,
  client: ChainClient,
  find: FindingsAbout,
  readSlowStart: ReadSlowStart = readSlowStartAfterIdle,
): Promise<readonly Finding[]> {
  const ms = await shortestRoundTrip(client);
  if (ms === undefined) return [];
  const isSlow = ms >= farMs && readSlowStart() === true && (await sendsCode(chain, client));
  if (!isSlow) return [find.ok('node-distance', `A round trip to it takes ${ms} ms.`)];
  return [
    find.warning(
      'node-far',
      `A round trip to it takes ${ms} ms, and a new operation waits for up to three: this machine sends slowly over connections that were idle for a second.`,
      'Set net.ipv4.tcp_slow_start_after_idle to 0 (sysctl, or sysctls of the container), or deploy the simulation code on chain: tollfree simulation-code deploy.',
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

/** Whether the simulation code of any EntryPoint is not on chain. */
async function sendsCode(
  { entryPoints, confirmations }: Pick<ChainSection, 'entryPoints' | 'confirmations'>,
  client: ChainClient,
): Promise<boolean> {
  const find = createFindSimulationCode(client, confirmations);
  for (const version of entryPointVersions) {
    const entryPoint = entryPoints[version];
    const code = entryPoint === undefined ? undefined : await find(entryPoint, version);
    if (code?.ok === true && code.value.inFull === undefined) return true;
  }
  return false;
}

function readSlowStartAfterIdle(): boolean | undefined {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_slow_start_after_idle', 'utf8').trim() === '1';
  } catch {
    // Only Linux has it.
    return undefined;
  }
}
