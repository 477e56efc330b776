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
import { type ConfirmedStretch, postEvents } from '../posting/post-events.ts';
import { releaseExpired } from '../posting/release-expired.ts';
import { WatchMoved } from '../posting/watch-moved.ts';
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

/** Where the watch stands in the store, undefined before its first stretch, and the next block to take in. */
type Place = { readonly watch: bigint | undefined; readonly next: bigint };

/**
 * Takes everything up to the confirmed block into the books, stretch by stretch, from where it was left. A stretch that
 * somebody else took in meanwhile is dropped, and what follows is read from where the watch stands now.
 *
 * @throws DeepReorganisation when a block that is in the books is no longer on the chain.
 */
export async function followEntryPoint(options: Following): Promise<void> {
  let place = (await resume(options)) ?? (await openBooks(options));
  let span = maxRange;
  while (place.next <= options.confirmed && !options.isClosed()) {
    const toBlock = minBigint(place.next + span - 1n, options.confirmed);
    const stretch = await readStretch(options, place, toBlock).catch((cause: unknown) => {
      if (span === 1n) throw cause;
      return undefined;
    });
    if (stretch === undefined) span = span / 2n;
    else place = await takeStretch(options, stretch);
  }
}

/** Where the watch stands, once it is certain that its last block is still there. Undefined before the first. */
async function resume({ store, client, chainId, watched }: Following): Promise<Place | undefined> {
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
  return { watch: next, next };
}

/** Takes in what was deposited before the first block, once that is confirmed. */
async function openBooks(options: Following): Promise<Place> {
  const { client, watched, chainId, startBlock } = options;
  if (startBlock === 0n || startBlock - 1n > options.confirmed) return { watch: undefined, next: startBlock };
  const events = await readOpeningDeposits(client, watched, startBlock);
  const before = await client.getBlock({ blockNumber: startBlock - 1n });
  return post(options, {
    chainId,
    entryPoint: watched.entryPoint,
    events,
    watchBefore: undefined,
    nextBlock: startBlock,
    lastHash: before.hash,
  });
}

type ReadStretch = ConfirmedStretch & { readonly chainTime: number };

async function readStretch(options: Following, place: Place, toBlock: bigint): Promise<ReadStretch> {
  const { client, watched, chainId } = options;
  const events = await readChainEvents(client, { ...watched, fromBlock: place.next, toBlock });
  const end = await client.getBlock({ blockNumber: toBlock });
  return {
    chainId,
    entryPoint: watched.entryPoint,
    events,
    watchBefore: place.watch,
    nextBlock: toBlock + 1n,
    lastHash: end.hash,
    chainTime: Number(end.timestamp),
  };
}

async function takeStretch(options: Following, stretch: ReadStretch): Promise<Place> {
  const place = await post(options, stretch);
  if (place.next === stretch.nextBlock) await releaseAllExpired(options, stretch.chainTime, unixSeconds(options.clock));
  return place;
}

/** Takes a stretch into the books and says where the watch stands then, which may be elsewhere. */
async function post(options: Following, stretch: ConfirmedStretch): Promise<Place> {
  const { store, chainId, logger } = options;
  const now = unixSeconds(options.clock);
  try {
    const unexplained = await store.transaction((transaction) => postEvents(transaction, stretch, now));
    for (const { contract, userOperationHash } of unexplained) warnUnexplained(options, contract, userOperationHash);
    return { watch: stretch.nextBlock, next: stretch.nextBlock };
  } catch (cause) {
    if (!(cause instanceof WatchMoved)) throw cause;
    logger.warn({ err: cause, chainId, entryPoint: stretch.entryPoint }, 'Another process writes to these books');
    const place = await resume(options);
    if (place === undefined) throw cause;
    return place;
  }
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
