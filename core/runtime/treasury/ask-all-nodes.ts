import { maxBigint, minBigint } from '../../base/values/integers.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { RefillBlocked } from './treasury-parts.ts';

/** Least number of nodes that must answer, if there are as many: a single one could move money by lying. */
const leastAnswers = 2;

/**
 * The answers of all nodes, without nodes that do not answer.
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
