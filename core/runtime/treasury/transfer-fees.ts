import type { Block } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import type { TransferFees } from '../../ledger/treasury/transfers.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { readFees } from '../../node/read-fees.ts';
import { RefillBlocked } from './treasury-parts.ts';

/** A refill spends at most a quarter of its amount on gas, so a node that overstates prices cannot burn more. */
const maxFeeShare = 4n;

/** The most that a refill may spend on gas, in wei. */
export function refillBudget(amount: bigint): bigint {
  return amount / maxFeeShare;
}

/** The bounds of a transfer's cost: what its gas may cost in wei, its gas, and the highest gas price. */
export type Bounds = { readonly budget: bigint; readonly gas: bigint; readonly ceiling: bigint | undefined };

/** Fees with which a transfer lands unless the base fee more than doubles. `head` is the newest block. */
export async function currentFees(client: ChainClient, head: Pick<Block, 'baseFeePerGas'>): Promise<TransferFees> {
  const { baseFee, suggestedTip } = await readFees(client, { baseFeePerGas: head.baseFeePerGas ?? null });
  return { maxFeePerGas: 2n * baseFee + suggestedTip, maxPriorityFeePerGas: suggestedTip };
}

/**
 * The fees, reduced to the ceiling if that still pays for the current block.
 *
 * @throws RefillBlocked when gas costs more than its budget, or is above the ceiling.
 */
export function boundFees(fees: TransferFees, { budget, gas, ceiling }: Bounds): TransferFees {
  const maxFeePerGas = minBigint(fees.maxFeePerGas, ceiling ?? fees.maxFeePerGas);
  // Half of the fee above the tip is the current base fee.
  const needed = fees.maxPriorityFeePerGas + (fees.maxFeePerGas - fees.maxPriorityFeePerGas) / 2n;
  if (maxFeePerGas < needed) throw new RefillBlocked('fees', 'The gas price is above maxFeePerGasCeiling.');
  if (gas * maxFeePerGas > budget) {
    throw new RefillBlocked('fees', 'Gas would cost more than its share of the amount, or than what is held.');
  }
  return { maxFeePerGas, maxPriorityFeePerGas: minBigint(fees.maxPriorityFeePerGas, maxFeePerGas) };
}

/** Nodes accept a replacement with the same nonce if both fees are a tenth higher. */
export function replacingFees(before: TransferFees, current: TransferFees): TransferFees {
  const raised = (fee: bigint) => (fee * 9n) / 8n + 1n;
  return {
    maxFeePerGas: maxBigint(raised(before.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: maxBigint(raised(before.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  };
}
