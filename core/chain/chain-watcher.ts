import type { Address } from 'viem';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import { postEvents } from '../ledger/post-events.ts';
import { releaseExpired } from '../ledger/release-expired.ts';
import type { Store } from '../store/store.ts';
import type { ChainClient } from './chain-client.ts';
import { depositAbi } from './entry-point-events.ts';
import { readChainEvents } from './read-chain-events.ts';

/** Blocks asked for in one `eth_getLogs`; halved when a node refuses, down to one. */
const widestRange = 2_000n;

/** After this time without an answer from the node what was seen is no longer used, in milliseconds. */
const longestSilence = 30_000;

/** The EntryPoints and paymaster contracts to watch on one chain. */
export type Watched = { readonly entryPoint: Address; readonly contracts: readonly Address[] };

/** What the watcher saw last. Amounts in wei, times in Unix seconds. */
export type ChainView = { readonly headTime: number; readonly deposits: ReadonlyMap<Address, bigint> };

/** Keeps the books in step with one chain and knows its head and the contracts' deposits. */
export type ChainWatcher = {
  /** What was seen last, or undefined when that is too long ago. */
  view(): ChainView | undefined;
  /** Looks at the chain now (or joins the look under way) and resolves when the books have what is confirmed. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

export function startChainWatcher(options: {
  readonly chainId: number;
  readonly client: ChainClient;
  readonly watched: readonly Watched[];
  readonly confirmations: number;
  readonly pollIntervalMs: number;
  readonly startBlock: bigint;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}): ChainWatcher {
  const { clock, logger, chainId } = options;
  let seen: { view: ChainView; at: number } | undefined;
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function look(): Promise<void> {
    const head = await options.client.getBlock({ blockTag: 'latest' });
    const deposits = await readDeposits(options.client, options.watched);
    seen = { view: { headTime: Number(head.timestamp), deposits }, at: clock.now() };
    const confirmed = head.number - BigInt(options.confirmations);
    for (const watched of options.watched) await follow({ ...options, watched, confirmed, isClosed: () => closed });
  }

  function catchUp(): Promise<void> {
    underWay ??= look().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  async function poll(): Promise<void> {
    try {
      await catchUp();
    } catch {
      logger.warn({ chainId }, 'The chain could not be read; it is tried again');
    }
    if (!closed) timer = setTimeout(() => void poll(), options.pollIntervalMs);
  }

  void poll();
  return {
    view: () => (seen !== undefined && clock.now() - seen.at <= longestSilence ? seen.view : undefined),
    catchUp,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await underWay?.catch(() => undefined);
    },
  };
}

async function readDeposits(client: ChainClient, watched: readonly Watched[]): Promise<ReadonlyMap<Address, bigint>> {
  const pairs = watched.flatMap(({ entryPoint, contracts }) => contracts.map((contract) => ({ entryPoint, contract })));
  const amounts = await Promise.all(
    pairs.map(({ entryPoint, contract }) =>
      client.readContract({ address: entryPoint, abi: depositAbi, functionName: 'balanceOf', args: [contract] }),
    ),
  );
  return new Map(pairs.map(({ contract }, index) => [contract, amounts[index] ?? 0n]));
}

type Following = {
  readonly chainId: number;
  readonly client: ChainClient;
  readonly watched: Watched;
  readonly confirmed: bigint;
  readonly startBlock: bigint;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isClosed: () => boolean;
};

/** Takes everything up to the confirmed block into the books, stretch by stretch. */
async function follow(options: Following): Promise<void> {
  const { client, store, watched, chainId, logger } = options;
  let next = await nextBlock(options);
  let span = widestRange;
  while (next <= options.confirmed && !options.isClosed()) {
    const toBlock = next + span - 1n < options.confirmed ? next + span - 1n : options.confirmed;
    const range = { ...watched, fromBlock: next, toBlock };
    const events = await readChainEvents(client, range, logger).catch((cause: unknown) => {
      if (span === 1n) throw cause;
      return undefined;
    });
    if (events === undefined) {
      span = span / 2n;
      continue;
    }
    const end = await client.getBlock({ blockNumber: toBlock });
    const stretch = { chainId, entryPoint: watched.entryPoint, events, nextBlock: toBlock + 1n };
    const now = Math.floor(options.clock.now() / 1000);
    const unexplained = await store.transaction((transaction) => postEvents(transaction, stretch, now));
    for (const event of unexplained) {
      logger.warn(
        { chainId, contract: event.contract, userOperationHash: event.userOperationHash },
        'An operation was paid by our paymaster contract and no hold of ours explains it',
      );
    }
    await releaseAllExpired(options, Number(end.timestamp), now);
    next = toBlock + 1n;
  }
}

async function releaseAllExpired(options: Following, chainTime: number, now: number): Promise<void> {
  const stretch = { chainId: options.chainId, contracts: options.watched.contracts, chainTime };
  let more = true;
  while (more) more = await options.store.transaction((transaction) => releaseExpired(transaction, stretch, now));
}

async function nextBlock(options: Following): Promise<bigint> {
  const row = await options.store.db
    .selectFrom('watches')
    .select('next_block')
    .where('chain_id', '=', options.chainId)
    .where('entry_point', '=', options.watched.entryPoint)
    .executeTakeFirst();
  return row === undefined ? options.startBlock : BigInt(row.next_block);
}
