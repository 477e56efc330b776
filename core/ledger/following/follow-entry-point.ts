import type { Hex } from 'viem';
import type { Logger } from '../../domain/logger.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import { minBigint } from '../../domain/values/bigint-bounds.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { readChainEvents } from '../../node/read-chain-events.ts';
import { readOpeningDeposits } from '../../node/read-opening-deposits.ts';
import type { Watched } from '../../node/watched-contract.ts';
import type { Store } from '../../store/store.ts';
import { postEvents } from '../posting/post-events.ts';
import { releaseExpired } from '../posting/release-expired.ts';
import { DeepReorganisation } from './deep-reorganisation.ts';

/** Blocks asked for in one `eth_getLogs`; halved when a node refuses, down to one. */
const maxRange = 2_000n;

type Following = {
  readonly chainId: number;
  readonly client: ChainClient;
  readonly watched: Watched;
  /** The newest block that counts as confirmed. */
  readonly confirmed: bigint;
  readonly startBlock: bigint;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isClosed: () => boolean;
};

/**
 * Takes everything up to the confirmed block into the books, stretch by stretch, from where it was left.
 *
 * @throws DeepReorganisation when a block that is in the books is no longer on the chain.
 */
export async function followEntryPoint(options: Following): Promise<void> {
  let next = (await resume(options)) ?? (await openBooks(options));
  let span = maxRange;
  while (next <= options.confirmed && !options.isClosed()) {
    const toBlock = minBigint(next + span - 1n, options.confirmed);
    const taken = await takeStretch(options, next, toBlock).catch((cause: unknown) => {
      if (span === 1n) throw cause;
      return false;
    });
    if (taken) next = toBlock + 1n;
    else span = span / 2n;
  }
}

/** The next block to take in, once it is certain that the last one is still there. Undefined before the first. */
async function resume({ store, client, chainId, watched }: Following): Promise<bigint | undefined> {
  const row = await store.db
    .selectFrom('watches')
    .select(['next_block', 'last_hash'])
    .where('chain_id', '=', chainId)
    .where('entry_point', '=', watched.entryPoint)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const next = BigInt(row.next_block);
  const last = await client.getBlock({ blockNumber: next - 1n });
  if (last.hash !== row.last_hash) throw new DeepReorganisation(next - 1n);
  return next;
}

/** Takes in what was deposited before the first block, once that is confirmed. Returns the first block. */
async function openBooks(options: Following): Promise<bigint> {
  const { client, store, watched, chainId, startBlock } = options;
  if (startBlock === 0n || startBlock - 1n > options.confirmed) return startBlock;
  const events = await readOpeningDeposits(client, watched, startBlock);
  const before = await client.getBlock({ blockNumber: startBlock - 1n });
  const stretch = { chainId, entryPoint: watched.entryPoint, events, nextBlock: startBlock, lastHash: before.hash };
  const now = unixSeconds(options.clock);
  await store.transaction((transaction) => postEvents(transaction, stretch, now));
  return startBlock;
}

async function takeStretch(options: Following, fromBlock: bigint, toBlock: bigint): Promise<true> {
  const { client, store, watched, chainId } = options;
  const events = await readChainEvents(client, { ...watched, fromBlock, toBlock });
  const end = await client.getBlock({ blockNumber: toBlock });
  const stretch = {
    chainId,
    entryPoint: watched.entryPoint,
    events,
    nextBlock: toBlock + 1n,
    lastHash: end.hash,
  };
  const now = unixSeconds(options.clock);
  const unexplained = await store.transaction((transaction) => postEvents(transaction, stretch, now));
  for (const { contract, userOperationHash } of unexplained) warnUnexplained(options, contract, userOperationHash);
  await releaseAllExpired(options, Number(end.timestamp), now);
  return true;
}

function warnUnexplained({ logger, chainId }: Following, contract: string, userOperationHash: Hex): void {
  logger.warn(
    { chainId, contract, userOperationHash },
    'An operation was paid by our contract and no hold explains it',
  );
}

async function releaseAllExpired(options: Following, chainTime: number, now: number): Promise<void> {
  const contracts = options.watched.contracts.map(({ address }) => address);
  const stretch = { chainId: options.chainId, contracts, chainTime };
  let more = true;
  while (more) more = await options.store.transaction((transaction) => releaseExpired(transaction, stretch, now));
}
