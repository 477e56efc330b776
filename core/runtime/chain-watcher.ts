import type { Address } from 'viem';
import type { Logger } from '../base/logger.ts';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { followContracts } from '../ledger/following/follow-contracts.ts';
import { type BehindByContract, createPatience } from '../ledger/following/following.ts';
import { createNonceSweep } from '../ledger/following/nonce-sweep.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createQuestionWidth } from '../node/event-range.ts';
import {
  type ChainView,
  type ChainWatcher,
  clockFault,
  type Watched,
  type WatchedContract,
} from '../node/followed-chain.ts';
import { readBalances, readDepositAt, sumOf } from '../node/read-deposits.ts';
import { type FeeView, readFees } from '../node/read-fees.ts';
import type { LastCoinPrice } from '../quotes/last-coin-price.ts';
import { asLeader } from '../store/leading.ts';
import { notifyOthers } from '../store/notices.ts';
import type { Store } from '../store/store.ts';
import { createFollowHealth, type FollowHealth } from './follow-health.ts';
import { askLeader, createSharingTurns } from './leading/ask-leader.ts';
import { type LedgerHealth, shareLedgerHealth } from './leading/share-ledger-health.ts';

/** Longest time that a reading is used, in milliseconds. */
const maxAge = 30_000;

type ChainWatcherOptions = {
  readonly chainId: number;
  readonly client: ChainClient;
  /** A client per node of the chain, the preferred one first. */
  readonly nodes: readonly ChainClient[];
  readonly watched: readonly Watched[];
  readonly confirmations: number;
  readonly pollIntervalMs: number;
  readonly startBlock: bigint;
  /** In seconds, between our clock and the newest block. */
  readonly maxClockDifferenceSeconds?: number | undefined;
  readonly coinPrice?: LastCoinPrice;
  /** The settings that affect money, if several processes share the database: see `moneySettings`. */
  readonly settings?: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly noteCostWithoutTank?: (contract: Address, cost: bigint) => void;
  /** How many holds have ended because nothing landed in time. */
  readonly noteExpired?: (contract: Address, holds: number) => void;
};

/** Watches a chain, and keeps its ledger while this process leads. */
export function startChainWatcher(given: ChainWatcherOptions): ChainWatcher {
  const { leadership } = given.store;
  const options = { ...given, store: asLeader(given.store) };
  const contracts = options.watched.flatMap((watched) => watched.contracts.map(({ address }) => address));
  const health = createFollowHealth({ ...options, contracts });
  const ledger = createLedgerHealth({ ...given, contracts, health });
  const chain = createLastView(options);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const keepLedger = createLedgerKeeper(options, () => closed);

  /** Returns which contracts are behind afterwards; undefined if another process keeps the ledger. */
  async function look(): Promise<BehindByContract | undefined> {
    await ledger.tried;
    health.asked();
    options.coinPrice?.refresh();
    const head = await options.client.getBlock({ blockTag: 'latest' });
    await chain.read(head);
    health.answered();
    if (!leadership.leads()) return undefined;
    return keepLedger(head.number - BigInt(options.confirmations));
  }

  /** Repeats until nothing is left to read, reporting the ledger's state each time. */
  async function lookAndJudge(): Promise<void> {
    for (;;) {
      const behind = await look().catch((cause: unknown) => {
        health.failed(cause);
        throw cause;
      });
      if (behind === undefined) return;
      if (!closed) ledger.followed(behind);
      const [why] = [...behind.values()].filter(({ kind }) => kind !== 'reading');
      if (why !== undefined) throw why.cause ?? new Error(why.text);
      if (behind.size === 0 || closed) return;
    }
  }

  /** Makes a pass in this process, or asks the process that keeps the ledger for one. */
  async function ask(): Promise<void> {
    await looks.next();
    const confirmed = (await options.client.getBlockNumber({ cacheTime: 0 })) - BigInt(options.confirmations);
    await askLeader({ store: given.store, chainId: options.chainId, contracts, confirmed });
  }

  const looks = createSharingTurns(lookAndJudge);
  const questions = createSharingTurns(ask);

  async function answer(): Promise<void> {
    await looks.next().catch(() => undefined);
    await given.store.transaction((trx) => notifyOthers(trx, `looked ${options.chainId}`));
  }

  const unlisten = given.store.hear((notice) => {
    if (notice === `look ${options.chainId}` && leadership.leads() && !closed) void answer().catch(() => undefined);
  });
  // A new leader does not wait for the next interval.
  const unleading = leadership.onChange(() => {
    if (leadership.leads() && !closed) void looks.next().catch(() => undefined);
  });

  async function poll(): Promise<void> {
    await looks.join().catch(() => undefined);
    if (!closed) timer = setTimeout(() => void poll(), options.pollIntervalMs);
  }

  void poll();
  return {
    view: chain.view,
    faultOf: ledger.faultOf,
    // The clock first: a clock problem resolves by itself, a ledger problem does not.
    fault: () => chain.clockFault() ?? ledger.fault() ?? chain.ageFault(),
    catchUp: () => (leadership.leads() ? looks.next() : questions.next()),
    close: async () => {
      closed = true;
      clearTimeout(timer);
      unlisten();
      unleading();
      await Promise.all([looks.ended(), questions.ended(), ledger.close()]);
    },
  };
}

/** The state of the ledger: from the passes of this process, or from the process that keeps it. */
function createLedgerHealth(
  parts: ChainWatcherOptions & { contracts: readonly Address[]; health: FollowHealth },
): LedgerHealth {
  const { settings = '{}', health } = parts;
  if (parts.store.leadership.isShared) return shareLedgerHealth({ ...parts, settings });
  return { ...health, tried: Promise.resolve(), close: async () => {} };
}

/** If the clock was set back, the age is unknown. */
function isFresh(at: number, clock: Clock): boolean {
  return Math.abs(clock.now() - at) <= maxAge;
}

type Head = { readonly timestamp: bigint; readonly baseFeePerGas: bigint | null };

type FeeParts = Pick<ChainWatcherOptions, 'chainId' | 'client' | 'clock' | 'logger'>;

/** The last readings of a chain: its newest block's time, the deposits, and the fees. */
function createLastView(options: FeeParts & Pick<ChainWatcherOptions, 'watched' | 'maxClockDifferenceSeconds'>) {
  const { client, watched, clock } = options;
  const fees = createLastFees(options);
  let seen: { readonly view: ChainView; readonly at: number } | undefined;
  function view(): ChainView | undefined {
    if (seen === undefined || !isFresh(seen.at, clock)) return undefined;
    const last = fees.view();
    return last === undefined ? seen.view : { ...seen.view, fees: last };
  }
  return {
    view,
    clockFault(): string | undefined {
      const last = view();
      return last && clockFault(unixSeconds(clock), last.headTime, options.maxClockDifferenceSeconds);
    },
    ageFault: () => (view() === undefined ? 'the last known state of the chain is too old to sign' : undefined),
    async read(head: Head): Promise<void> {
      const [{ deposits, executors }] = await Promise.all([readDeposits(client, watched), fees.read(head)]);
      seen = { view: { headTime: Number(head.timestamp), deposits, executors }, at: clock.now() };
    },
  };
}

/** The chain's last known fees. A failure is logged and keeps the previous ones: the ledger does not need a gas price. */
function createLastFees({ chainId, client, clock, logger }: FeeParts) {
  let last: { readonly view: FeeView; readonly at: number } | undefined;
  return {
    view: () => (last === undefined || !isFresh(last.at, clock) ? undefined : last.view),
    async read(head: Pick<Head, 'baseFeePerGas'>): Promise<void> {
      try {
        last = { view: await readFees(client, head), at: clock.now() };
      } catch (error) {
        logger.warn({ err: error, chainId }, 'The gas price could not be read; trying again');
      }
    },
  };
}

/**
 * Advances the ledger to a confirmed block. Returns which contracts are behind afterwards; undefined if another process took
 * over meanwhile.
 */
function createLedgerKeeper(options: ChainWatcherOptions, isClosed: () => boolean) {
  const { leadership } = options.store;
  const follows = options.watched.map((watched) => ({
    watched,
    width: createQuestionWidth(),
    patience: createPatience(options.clock),
    sweep: createNonceSweep({ ...options, watched }),
  }));
  return async (confirmed: bigint): Promise<BehindByContract | undefined> => {
    // In parallel they share their block queries, and wait only once for a distant node.
    const late = await Promise.all(
      follows.map(({ watched, width, patience }) =>
        followContracts({ ...options, watched, width, patience, confirmed, isClosed }),
      ),
    );
    const behind: BehindByContract = new Map(late.flatMap((contracts) => [...contracts]));
    // If leadership was lost, missing data is not a fault of the ledger.
    if (!leadership.leads()) return undefined;
    await sweepNonces({ ...options, follows, isClosed }, confirmed, behind);
    return behind;
  };
}

type Sweeping = {
  readonly chainId: number;
  readonly logger: Logger;
  readonly follows: readonly { readonly watched: Watched; readonly sweep: ReturnType<typeof createNonceSweep> }[];
  readonly isClosed: () => boolean;
};

/** Releases holds whose nonce has been used. If a node does not answer, they remain until their expiry. */
async function sweepNonces(
  { chainId, logger, follows, isClosed }: Sweeping,
  confirmed: bigint,
  behind: BehindByContract,
): Promise<void> {
  for (const { sweep, watched } of follows) {
    if (isClosed()) return;
    // The ledger may not include yet what has landed there.
    if (watched.contracts.some(({ address }) => behind.has(address))) continue;
    await sweep.turn(confirmed).catch((error: unknown) => {
      logger.warn({ err: error, chainId }, 'Nonces of open holds could not be read; trying again');
    });
  }
}

async function readDeposits(client: ChainClient, watched: readonly Watched[]) {
  const deposits = new Map<Address, bigint>();
  const executors = new Map<Address, bigint>();
  const readOne = async (entryPoint: Address, { address: contract, relay }: WatchedContract) => {
    if (relay === undefined) {
      deposits.set(contract, await readDepositAt(client, { entryPoint, contract }));
      return;
    }
    const balances = await readBalances(client, relay.executors);
    deposits.set(contract, sumOf(balances));
    for (const [index, executor] of relay.executors.entries()) executors.set(executor, balances[index] ?? 0n);
  };
  await Promise.all(
    watched.flatMap(({ entryPoint, contracts }) => contracts.map((contract) => readOne(entryPoint, contract))),
  );
  return { deposits, executors };
}
