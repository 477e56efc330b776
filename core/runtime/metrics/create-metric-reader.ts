import type { Logger } from '../../base/logger.ts';
import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric, MetricRegistry, MetricSource } from '../../base/metrics/metric-registry.ts';
import { type Clock, createTimers, type Timers, unixSeconds } from '../../base/time/clock.ts';
import type { DatabaseAddress } from '../../base/values/database-address.ts';
import { accountsNamed, toLedgerAccounts } from '../../ledger/accounts/ledger-accounts.ts';
import { vendorBudgetAccounts } from '../../ledger/accounts/vendor-accounts.ts';
import { countEntries, type EntryCount } from '../../ledger/ledger-metrics.ts';
import { contractsOf } from '../../node/followed-chain.ts';
import { vendorMethods } from '../../node/vendor/create-vendor.ts';
import type { ChainRuntime } from '../../sponsorship/run/sponsorship-parts.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Store } from '../../store/store.ts';
import {
  createStakeReader,
  gauge,
  readChains,
  readDatabaseSize,
  readDeposits,
  readHotWallets,
  readPending,
  readTanks,
} from './read-levels.ts';

/** USD in millionths, for 10^18 wei. */
const weiPerCoin = 10n ** 18n;

/** Prices of the coins; with them, counts operation costs in USD. */
async function readPrices(
  chains: ReadonlyMap<number, ChainRuntime>,
  entries: EntryFollower,
  metrics: MetricRegistry,
): Promise<readonly Metric[]> {
  const prices = await Promise.all(
    [...chains].map(async ([chainId, { rates }]) => {
      const price = await rates.nativeUsdMicros();
      return price.ok ? [{ chainId, micros: price.value }] : [];
    }),
  );
  const known = prices.flat();
  for (const { chainId, micros } of known) {
    const cost = entries.unpriced.get(chainId) ?? 0n;
    entries.forget(chainId, cost);
    const nanos = (cost * micros * 1_000n) / weiPerCoin;
    metrics.count(coreMetrics.costUsd, { chain: String(chainId) }, Number(nanos) / 1e9);
  }
  return [
    gauge(coreMetrics.coinUsd, known, ({ chainId, micros }) => ({
      labels: { chain: String(chainId) },
      value: Number(micros) / 1e6,
    })),
  ];
}

/** How long a reader waits for a slow part, in milliseconds; then the part's last values are used. */
const waitMs = 1_000;

/**
 * Reads all metrics of the core. Signing never waits for it: large reads run in the reading thread, and late parts keep
 * their last values. `newest`: the id of the newest ledger entry at startup.
 */
export function createMetricReader(parts: {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly metrics: MetricRegistry;
  /** More metrics of the process that runs the core. */
  readonly others: MetricSource;
  readonly database: DatabaseAddress;
  readonly newest: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
}): () => Promise<readonly Metric[]> {
  const { store, chains, metrics, clock, logger, timers = createTimers(clock) } = parts;
  const entries = followEntries(store, metrics, parts.newest);
  const onFault = (cause: unknown) => logger.warn({ err: cause }, 'Some metrics could not be read');
  const often = <T>(read: () => Promise<T>) => freshOrLast(read, { waitMs, clock, timers, onFault });
  const readStakes = createStakeReader(chains, clock);
  beginAtZero(metrics, chains);

  const counted = often(entries.catchUp);
  const levels = [
    often(() => readPrices(chains, entries, metrics)),
    often(() => readDeposits(store, chains)),
    often(() => readTanks(store, chains, unixSeconds(clock))),
    often(() => readHotWallets(store, chains, unixSeconds(clock))),
    often(() => readPending(store)),
    often(() => readDatabaseSize(store, parts.database)),
    often(async () => [await readStakes()]),
    often(() => readVendor(store, chains, unixSeconds(clock))),
  ];
  return async () => {
    await counted();
    const read = await Promise.all(levels.map((level) => level()));
    const known = [...readChains(chains), ...read.flatMap((some) => some ?? [])];
    return [...metrics.read(), ...known, ...(await parts.others())];
  };
}

/** Starts counters of alerts at 0: Prometheus only sees a first increase if there was a 0 before. */
function beginAtZero(metrics: MetricRegistry, chains: ReadonlyMap<number, ChainRuntime>): void {
  for (const [chainId, chain] of chains) {
    if (chain.vendor !== undefined) {
      for (const method of vendorMethods) {
        metrics.count(coreMetrics.vendorQuestions, { chain: String(chainId), method, outcome: 'answered' }, 0);
      }
    }
    for (const { location } of contractsOf(chain)) {
      const labels = { chain: String(chainId), contract: location.address };
      metrics.count(coreMetrics.unpaidWei, labels, 0);
      metrics.count(coreMetrics.costWithoutTankWei, labels, 0);
      metrics.count(coreMetrics.expiredHolds, labels, 0);
      for (const mode of ['SPONSORED', 'ERC20']) {
        metrics.count(coreMetrics.landed, { ...labels, mode, success: 'no' }, 0);
      }
      for (const kind of ['release', 'settle']) {
        metrics.count(coreMetrics.entriesWei, { ...labels, kind, reversal: 'no' }, 0);
        metrics.count(coreMetrics.entries, { ...labels, kind, reversal: 'no' }, 0);
      }
    }
  }
}

/** The budgets for vendors' paymasters, and their use. `now` in Unix seconds. */
async function readVendor(
  store: Store,
  chains: ReadonlyMap<number, ChainRuntime>,
  now: number,
): Promise<readonly Metric[]> {
  const budgets = [...chains].flatMap(([chainId, { vendor }]) =>
    vendor === undefined ? [] : [{ chainId, ...vendor.config.budget }],
  );
  const windows = budgets.flatMap(({ chainId, usdMicrosPerDay, usdMicrosPerMonth }) => {
    const { day, month } = vendorBudgetAccounts(chainId, now);
    const labelled = (window: string) => ({ chain: String(chainId), window });
    return [
      { labels: labelled('day'), name: day.name, budget: Number(usdMicrosPerDay) / 1e6 },
      { labels: labelled('month'), name: month.name, budget: Number(usdMicrosPerMonth) / 1e6 },
    ];
  });
  const names = windows.map(({ name }) => name);
  const [rows] = await runTogether(store.db, accountsNamed(names));
  const accounts = toLedgerAccounts(rows, names);
  return [
    gauge(coreMetrics.vendorSpent, windows, ({ labels, name }) => {
      return { labels, value: Number(accounts.of(name).amount) / 1e6 };
    }),
    gauge(coreMetrics.vendorBudget, windows, ({ labels, budget }) => ({ labels, value: budget })),
  ];
}

/** Most steps of one reading; the rest waits for the next. */
const maxSteps = 20;

/** Adds the entries written since the last time to the counts. */
type EntryFollower = {
  catchUp(): Promise<void>;
  /** Operation costs on each chain that are not counted in USD yet, in wei. `forget` subtracts what has been counted. */
  readonly unpriced: ReadonlyMap<number, bigint>;
  forget(chainId: number, amount: bigint): void;
};

/**
 * Counts from the ledger instead of at the writes: so signing and posting do no extra work, and exactly the committed
 * transactions count. `after`: the newest entry at startup.
 */
export function followEntries(store: Store, metrics: MetricRegistry, after: number): EntryFollower {
  const unpriced = new Map<number, bigint>();
  let reached = after;

  function add(count: EntryCount): void {
    const { chainId, contract, kind, isReversal, mode, success, entries, amount, unpaid } = count;
    const location = { chain: String(chainId), contract };
    const labels = { ...location, kind, reversal: isReversal ? 'yes' : 'no' };
    metrics.count(coreMetrics.entries, labels, entries);
    metrics.count(coreMetrics.entriesWei, labels, Number(amount));
    if (kind !== 'settle' || isReversal) return;
    const landed = { ...location, mode: mode ?? 'none', success: success === false ? 'no' : 'yes' };
    metrics.count(coreMetrics.landed, landed, entries);
    metrics.count(coreMetrics.unpaidWei, location, Number(unpaid));
    unpriced.set(chainId, (unpriced.get(chainId) ?? 0n) + amount);
  }

  return {
    unpriced,
    forget: (chainId, amount) => void unpriced.set(chainId, (unpriced.get(chainId) ?? 0n) - amount),
    catchUp: async () => {
      for (let step = 0; step < maxSteps; step += 1) {
        const { until, isAll, counts } = await countEntries(store, reached);
        reached = until;
        counts.forEach(add);
        if (isAll) return;
      }
    },
  };
}

/** Least time that a reading is used, in milliseconds. */
export const minValidMs = 1_000;
/** How much longer it is used than it took: a slow one runs at most a twentieth of the time. */
const restsAfter = 20;

/**
 * Reads occasionally, and waits at most `waitMs`; then the last reading is used. Undefined before the first one. Rejections
 * of `read` go to `onFault`; concurrent callers share one reading.
 */
export function freshOrLast<T>(
  read: () => Promise<T>,
  options: {
    readonly waitMs: number;
    readonly clock: Clock;
    readonly timers: Timers;
    readonly onFault: (cause: unknown) => void;
  },
): () => Promise<T | undefined> {
  const { waitMs, clock, timers, onFault } = options;
  let last: { readonly value: T; readonly validUntil: number; readonly begunAt: number } | undefined;
  let underWay: Promise<void> | undefined;

  async function readAnew(): Promise<void> {
    const begunAt = clock.now();
    try {
      const value = await read();
      const took = Math.max(clock.now() - begunAt, 0);
      last = { value, begunAt, validUntil: begunAt + Math.max(minValidMs, took * restsAfter) };
    } catch (cause) {
      onFault(cause);
    } finally {
      underWay = undefined;
    }
  }

  return async () => {
    const now = clock.now();
    // If the clock was set back, the last reading seems to come from the future.
    if (last !== undefined && now >= last.begunAt && now < last.validUntil) return last.value;
    underWay ??= readAnew();
    let stop = () => {};
    const tooLate = new Promise<void>((resolve) => {
      stop = timers.at(now + waitMs, resolve);
    });
    await Promise.race([underWay, tooLate]);
    stop();
    return last?.value;
  };
}
