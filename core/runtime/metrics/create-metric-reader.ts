import type { Logger } from '../../base/logger.ts';
import { coreFigures } from '../../base/metrics/core-metrics.ts';
import type { Figure, FigureSource } from '../../base/metrics/metric.ts';
import type { FigureBook } from '../../base/metrics/metric-registry.ts';
import type { Clock } from '../../base/time/clock.ts';
import { createTimers, type Timers } from '../../base/time/timers.ts';
import { unixSeconds } from '../../base/time/unix-seconds.ts';
import type { DatabaseAddress } from '../../base/values/database-address.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import type { Store } from '../../store/store.ts';
import { followEntries } from './follow-entries.ts';
import { freshOrLast } from './fresh-or-last.ts';
import { readDatabaseSize, readPending } from './read-database.ts';
import { readDeposits, readTanks } from './read-deposits.ts';
import { readPrices } from './read-prices.ts';

/** How long a reader waits for what takes longer than that this time, in milliseconds. */
const waitMs = 1_000;

/**
 * Reads all figures of the core. Nothing that signs waits for it: large reads are done in the thread that reads, and what is
 * late is as it was the last time. `newest`: the id of the newest entry of the books at the start.
 */
export function createFigureReader(parts: {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  readonly figures: FigureBook;
  /** More figures of the process that the core runs in. */
  readonly others: FigureSource;
  readonly database: DatabaseAddress;
  readonly newest: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
}): () => Promise<readonly Figure[]> {
  const { store, chains, figures, clock, logger, timers = createTimers(clock) } = parts;
  const entries = followEntries(store, figures, parts.newest);
  const onFault = (cause: unknown) => logger.warn({ err: cause }, 'Some metrics could not be read');
  const often = <T>(read: () => Promise<T>) => freshOrLast(read, { waitMs, clock, timers, onFault });
  beginAtZero(figures, chains);

  const counted = often(entries.catchUp);
  const levels = [
    often(() => readPrices(chains, entries, figures)),
    often(() => readDeposits(store, chains)),
    often(() => readTanks(store, chains, unixSeconds(clock))),
    often(() => readPending(store)),
    often(() => readDatabaseSize(store, parts.database)),
  ];
  return async () => {
    await counted();
    const read = await Promise.all(levels.map((level) => level()));
    return [...figures.read(), ...read.flatMap((some) => some ?? []), ...(await parts.others())];
  };
}

/** What is not to happen, and is alerted on: Prometheus sees a first time only where there was a 0 before. */
function beginAtZero(figures: FigureBook, chains: ReadonlyMap<number, ChainRuntime>): void {
  for (const [chainId, { contracts }] of chains) {
    for (const { place } of contracts.values()) {
      const labels = { chain: String(chainId), contract: place.address };
      figures.count(coreFigures.unpaidWei, labels, 0);
      figures.count(coreFigures.costWithoutTankWei, labels, 0);
      for (const mode of ['SPONSORED', 'ERC20']) {
        figures.count(coreFigures.landed, { ...labels, mode, success: 'no' }, 0);
      }
      for (const kind of ['hold', 'release', 'settle']) {
        figures.count(coreFigures.entriesWei, { ...labels, kind, reversal: 'no' }, 0);
        figures.count(coreFigures.entries, { ...labels, kind, reversal: 'no' }, 0);
      }
    }
  }
}
