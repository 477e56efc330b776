import type { ChainClient } from './chain-client.ts';

/** What a chain asks for gas at present, in wei per gas. */
export type FeeView = {
  /** The highest base fee of the next block and the latest few; 0 on a chain that has none. */
  readonly baseFee: bigint;
  /** The tip that the node suggests; on a chain without a base fee, the gas price. */
  readonly suggestedTip: bigint;
};

/** A price that was right this many blocks ago is not too high because the base fee has fallen since. */
const recentBlocks = 10;
/** Of the tips of a block, by the gas they were paid for: the middle one. */
const middle = 50;

type FeeClient = Pick<ChainClient, 'getGasPrice' | 'getFeeHistory' | 'request'>;
type Block = { readonly baseFeePerGas: bigint | null };
type History = { readonly baseFees: readonly bigint[]; readonly tips: readonly bigint[] };

/**
 * Reads what gas costs on a chain whose latest block is `head`: the base fees of `eth_feeHistory`, or of `head` alone
 * where the node does not have that method, and the tip of `eth_maxPriorityFeePerGas`, or else the median of what blocks
 * paid. A chain without a base fee has `eth_gasPrice` only. Rejects when no tip can be told.
 */
export async function readFees(client: FeeClient, head: Block): Promise<FeeView> {
  if (head.baseFeePerGas === null) return { baseFee: 0n, suggestedTip: await client.getGasPrice() };
  const [history, suggested] = await Promise.all([readHistory(client), readSuggestedTip(client)]);
  const baseFee = highest([head.baseFeePerGas, ...(history?.baseFees ?? [])]);
  const suggestedTip = suggested ?? median(history?.tips ?? []);
  if (suggestedTip === undefined) throw new Error('The node reports neither a suggested tip nor paid tips.');
  return { baseFee, suggestedTip };
}

/** Undefined when the node does not tell. Its history reaches to the block after the latest one. */
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
