import type { ChainClient } from './chain-client.ts';

/** Current gas prices of a chain, in wei per gas. */
export type FeeView = {
  /** The highest base fee of the next block and the latest few; 0 on a chain without one. */
  readonly baseFee: bigint;
  /** The tip that the node suggests; on a chain without a base fee, the gas price. */
  readonly suggestedTip: bigint;
  /** The tip that the latest blocks paid, by {@link tipOfBlocks}; absent where too few blocks say anything. */
  readonly paidTip?: bigint;
};

/** A price that was right this many blocks ago is still accepted after the base fee has fallen. */
const recentBlocks = 10;
/** The median tip of a block, weighted by gas. */
const middle = 50;
/** How many of those blocks have to have paid a tip, so that no single block producer can raise it. */
const agreeingBlocks = 3;
/** Gas used below which a block says nothing of tips: a few cheap transactions could be all that it has. */
const leastGasUsed = 5_000_000;

type FeeClient = Pick<ChainClient, 'getGasPrice' | 'getFeeHistory' | 'request'>;
/** The latest block; without its gas limit no tips are read from blocks. */
type Block = { readonly baseFeePerGas: bigint | null; readonly gasLimit?: bigint };
type History = {
  readonly baseFees: readonly bigint[];
  /** The median tip and the used gas of each block. */
  readonly blocks: readonly { readonly tip: bigint; readonly gasUsed: number }[];
};

/**
 * Reads the gas prices of a chain whose latest block is `head`: the base fees and tips of `eth_feeHistory`, or only the base
 * fee of `head` if the node lacks that method, and the tip of `eth_maxPriorityFeePerGas`, or else the median that blocks
 * paid. A chain without a base fee only has `eth_gasPrice`. Rejects when no tip can be determined.
 */
export async function readFees(client: FeeClient, head: Block): Promise<FeeView> {
  if (head.baseFeePerGas === null) return { baseFee: 0n, suggestedTip: await client.getGasPrice() };
  const [history, suggested] = await Promise.all([readHistory(client, head), readSuggestedTip(client)]);
  const baseFee = highest([head.baseFeePerGas, ...(history?.baseFees ?? [])]);
  const blocks = history?.blocks ?? [];
  const suggestedTip = suggested ?? median(blocks.map(({ tip }) => tip));
  if (suggestedTip === undefined) throw new Error('The node reports neither a suggested tip nor paid tips.');
  const paidTip = tipOfBlocks(blocks);
  return paidTip === undefined ? { baseFee, suggestedTip } : { baseFee, suggestedTip, paidTip };
}

/**
 * The highest tip that at least half the gas of {@link agreeingBlocks} blocks paid, or more. Blocks with little gas do not
 * count: on a chain with empty blocks, only the node's suggestion does.
 */
function tipOfBlocks(blocks: History['blocks']): bigint | undefined {
  const tips = blocks.filter(({ gasUsed }) => gasUsed >= leastGasUsed).map(({ tip }) => tip);
  return sorted(tips).at(-agreeingBlocks);
}

/** Undefined when the node does not answer. The history includes the base fee of the block after the latest one. */
async function readHistory(client: FeeClient, { gasLimit = 0n }: Block): Promise<History | undefined> {
  try {
    const options = { blockCount: recentBlocks, rewardPercentiles: [middle] };
    const { baseFeePerGas, gasUsedRatio, reward = [] } = await client.getFeeHistory(options);
    const blocks = reward.flatMap(([tip], index) =>
      tip === undefined ? [] : [{ tip, gasUsed: (gasUsedRatio[index] ?? 0) * Number(gasLimit) }],
    );
    return { baseFees: baseFeePerGas, blocks };
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
  return sorted(amounts)[Math.floor((amounts.length - 1) / 2)];
}

function sorted(amounts: readonly bigint[]): readonly bigint[] {
  return [...amounts].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}
