import { maxBigint, minBigint } from '../../base/values/integers.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { RefillBlocked } from './treasury-parts.ts';

/** So many nodes have to answer where there are as many: one alone could move money by a lie. */
const leastAnswers = 2;

/**
 * What each node says. A node that does not answer is left out.
 *
 * @throws RefillBlocked when fewer than two answer, or the only one does not.
 */
export async function askAllNodes<T>(
  nodes: readonly ChainClient[],
  ask: (node: ChainClient) => Promise<T>,
): Promise<readonly T[]> {
  const results = await Promise.allSettled(nodes.map(ask));
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (answers.length >= Math.min(nodes.length, leastAnswers) && answers.length > 0) return answers;
  throw new RefillBlocked('nodes', `Only ${answers.length} of ${nodes.length} nodes respond.`);
}

export function highestOf([first = 0n, ...others]: readonly bigint[]): bigint {
  return maxBigint(first, ...others);
}

export function lowestOf([first = 0n, ...others]: readonly bigint[]): bigint {
  return minBigint(first, ...others);
}
