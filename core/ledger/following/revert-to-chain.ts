import { counted } from '@tollfree/contract/counted';
import { type Address, BlockNotFoundError, type Hex } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { blocksToRevert } from '../posting/pass-block.ts';
import { readWatch } from '../read-watch.ts';
import { type Reversal, revertTo } from '../revert/revert-to.ts';
import type { Behind, Following } from './following.ts';
import { findPosition, type WatchPosition } from './watch-position.ts';

/** The last block that stays in the ledger, and where it continues. */
type Common = Pick<Reversal, 'toBlock' | 'nextBlock' | 'lastHash'>;

/**
 * Rolls a contract's ledger back to the newest block that it has passed and that the chain still has, after a reorg deeper
 * than the confirmations. When no such block is left, a ledger younger than the stored list of passed blocks is read again
 * from the first block; an older one stays as it is, for the operator to decide.
 */
export async function revertToChain(
  options: Following,
  node: ChainClient,
  { contract, next, watch }: WatchPosition,
): Promise<WatchPosition | Behind> {
  const { store, chainId, startBlock, logger } = options;
  // A relay starts later: before its first block its ledger knows nothing.
  const first = contract.relay === undefined ? beforeFirst(startBlock, next) : undefined;
  const common = (await findCommon(options, node, { contract: contract.address, next })) ?? first;
  if (common === undefined || watch === undefined || (await isArchived(options, contract.address, common.toBlock))) {
    const text = `none of the last ${counted(blocksToRevert, 'block')} in the ledger is on the chain any more. See the runbook for ledger revert`;
    return { kind: 'off-chain', text };
  }
  const { address } = contract;
  const reversal = { chainId, contract: address, watchBefore: watch, ...common };
  const now = unixSeconds(options.clock);
  const { entries } = await store.transaction((transaction) => revertTo(transaction, reversal, now));
  const fields = {
    chainId,
    contract: address,
    fromBlock: Number(next) - 1,
    toBlock: Number(common.toBlock),
    entries,
  };
  logger.warn(fields, 'The chain reorganised deeper than the confirmations; the ledger was rolled back');
  return findPosition(options, contract);
}

/** The newest passed block below `next` that the node has: all blocks before it are common too. */
async function findCommon(
  { store, chainId }: Following,
  node: ChainClient,
  { contract, next }: { readonly contract: Address; readonly next: bigint },
): Promise<Common | undefined> {
  const rows = await store.db
    .selectFrom('passed_blocks')
    .select(['block_number', 'hash'])
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('block_number', '<', Number(next))
    .orderBy('block_number')
    .execute();
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = rows[middle];
    if (row !== undefined && (await isOnChain(node, BigInt(row.block_number), row.hash))) low = middle + 1;
    else high = middle;
  }
  const found = rows[low - 1];
  if (found === undefined) return undefined;
  const toBlock = BigInt(found.block_number);
  return { toBlock, nextBlock: toBlock + 1n, lastHash: found.hash as Hex };
}

/** Whether rows of blocks after that one are archived, which cannot be rolled back. */
async function isArchived({ store, chainId }: Following, contract: Address, toBlock: bigint): Promise<boolean> {
  const row = await readWatch(store.db, { chainId, contract });
  return row?.archived_block != null && BigInt(row.archived_block) > toBlock;
}

async function isOnChain(node: ChainClient, blockNumber: bigint, hash: string): Promise<boolean> {
  try {
    return (await node.getBlock({ blockNumber })).hash === hash;
  } catch (cause) {
    if (cause instanceof BlockNotFoundError) return false;
    throw cause;
  }
}

/** With nothing in the ledger, the deposit of the block before the first one is not in it either. */
function beforeFirst(startBlock: bigint, next: bigint): Common | undefined {
  if (next - startBlock > blocksToRevert) return undefined;
  return { toBlock: startBlock - 2n, nextBlock: startBlock, lastHash: '' };
}
