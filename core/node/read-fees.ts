import type { ChainClient } from './chain-client.ts';

/** Current gas prices of a chain, in wei per gas. */
export type FeeView = {
  /** The highest base fee of the next block and the latest few; 0 on a chain without one. */
  readonly baseFee: bigint;
  /** The tip that the node suggests; on a chain without a base fee, the gas price. */
  readonly suggestedTip: bigint;
};

/** A price that was right this many blocks ago is still accepted after the base fee has fallen. */
const recentBlocks = 10;
/** The median tip of a block, weighted by gas. */
const middle = 50;

type FeeClient = Pick<ChainClient, 'getGasPrice' | 'getFeeHistory' | 'request'>;
type Block = { readonly baseFeePerGas: bigint | null };
type History = { readonly baseFees: readonly bigint[]; readonly tips: readonly bigint[] };

/**
 * Reads the gas prices of a chain whose latest block is `head`: the base fees of `eth_feeHistory`, or of `head` only if the
 * node lacks that method, and the tip of `eth_maxPriorityFeePerGas`, or else the median that blocks paid. A chain without a
 * base fee only has `eth_gasPrice`. Rejects when no tip can be determined.
 */
export async function readFees(client: FeeClient, head: Block): Promise<FeeView> {
  if (head.baseFeePerGas === null) return { baseFee: 0n, suggestedTip: await client.getGasPrice() };
  const [history, suggested] = await Promise.all([readHistory(client), readSuggestedTip(client)]);
  const baseFee = highest([head.baseFeePerGas, ...(history?.baseFees ?? [])]);
  const suggestedTip = suggested ?? median(history?.tips ?? []);
  if (suggestedTip === undefined) throw new Error('The node reports neither a suggested tip nor paid tips.');
  return { baseFee, suggestedTip };
}

/** Undefined when the node does not answer. The history includes the block after the latest one. */
async function readHistory(client: FeeClient): Promise<History | undefined> {
  try {
    const options = { blockCount: recentBlocks, rewardPercentiles: [middle] };
    const { baseFeePerGas, reward = [] } = await client.getFeeHistory(options);
    return { baseFees: baseFeePerGas, tips: reward.flat() };
  } catch {
    return undefined;
  }
}

async function readSuggestedTip(client: FeeClient): Promise<bigint | undefined> {
  try {
    return BigInt(await client.request({ method: 'eth_maxPriorityFeePerGas' }));
  } catch {
    return undefined;
  }
}

function highest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}

function median(amounts: readonly bigint[]): bigint | undefined {
  const sorted = [...amounts].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
