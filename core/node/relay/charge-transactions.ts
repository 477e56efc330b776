import { minBigint } from '../../base/values/integers.ts';
import type { ChainEvent } from '../chain-event.ts';
import type { ExecutorTransaction } from './executor-transaction.ts';
import type { RelayPlace } from './watched-relay.ts';

/**
 * Substitute log indexes: an event's identity in the ledger is its transaction and its log, but these have no log. An entry
 * without a transaction uses the hash of its block.
 */
export const relayLogs = { ownCost: -1, sentAway: -2, received: -3, balanced: -4, earned: -6 } as const;

/** A transaction with its total cost, in wei. */
export type ChargedTransaction = ExecutorTransaction & { readonly cost: bigint };

/**
 * Splits the cost of transactions among their operations, by gas. Operations accepted for relaying become events of their
 * own. The operator bears the rest, first reduced by what other operations paid the executors (`income`). `left` is the
 * remaining income.
 */
export async function chargeTransactions(
  { contract, relay }: RelayPlace,
  transactions: readonly ChargedTransaction[],
  income: bigint,
): Promise<{ readonly events: readonly ChainEvent[]; readonly left: bigint }> {
  const bundled = transactions.flatMap(({ operations }) => operations);
  const ours = bundled.length === 0 ? new Set() : await relay.ourOperations(bundled);
  const events: ChainEvent[] = [];
  let left = income;
  for (const { txHash, blockNumber, cost, operations } of transactions) {
    const shares = shareCost(
      cost,
      operations.map(({ actualGasUsed }) => actualGasUsed),
    );
    let own = cost;
    for (const [index, { actualGasUsed: _, paid: __, ...operation }] of operations.entries()) {
      if (!ours.has(operation.userOperationHash)) continue;
      const actualGasCost = shares[index] ?? 0n;
      own -= actualGasCost;
      const landed = { kind: 'user-operation', relayed: true, contract, actualGasCost, txHash, blockNumber } as const;
      events.push({ ...landed, ...operation });
    }
    const covered = minBigint(own, left);
    left -= covered;
    if (own === covered) continue;
    const location = { contract, blockNumber, txHash, logIndex: relayLogs.ownCost };
    events.push({ kind: 'executor-cost', amount: own - covered, ...location });
  }
  return { events, left };
}

/**
 * Splits a cost in proportion to weights, in wei. The shares add up to the cost exactly: each is the share of the running
 * sum of weights, less what was given before. If all weights are 0, the first bears the cost.
 */
export function shareCost(cost: bigint, weights: readonly bigint[]): readonly bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? cost : 0n));
  let [reached, given] = [0n, 0n];
  return weights.map((weight) => {
    reached += weight;
    const share = (cost * reached) / total - given;
    given += share;
    return share;
  });
}
