import type { Address } from 'viem';
import type { Logger } from '../../base/logger.ts';
import { type Clock, createTimers, repeat } from '../../base/time/clock.ts';
import { type PublishedLedger, readStandings } from '../../ledger/following/ledger-standings.ts';
import type { Store } from '../../store/store.ts';
import { describeDifference } from './money-settings.ts';
import { sharingLimits } from './sharing-limits.ts';

/** The last report from the process that keeps the ledger of a chain. */
type LeaderStandings = {
  /** Why nothing may be signed for a contract, in words. */
  faultOf(contract: Address): string | undefined;
  /** The reported reason, however old. */
  reportedFaultOf(contract: Address): string | undefined;
  /** Whether the ledger of a contract is in step with the chain. */
  isKept(contract: Address): boolean;
  /** How this process's settings differ from those of the process that keeps the ledger, in words. */
  difference(): string | undefined;
  /** Resolves after the first attempt to read it. */
  readonly tried: Promise<void>;
  close(): Promise<void>;
};

/** Reads it every few seconds, and when notified of news. Until the first read, nothing may be signed. */
export function followLeaderStandings(options: {
  readonly chainId: number;
  /** This process's settings that affect money. */
  readonly settings: string;
  readonly store: Pick<Store, 'db' | 'hear'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): LeaderStandings {
  const { chainId, settings, store, clock, logger } = options;
  let received:
    | { readonly books: PublishedLedger; readonly difference: string | undefined; readonly at: number }
    | undefined;

  async function read(): Promise<void> {
    const at = clock.now();
    const books = await readStandings(store.db, chainId);
    const difference = describeDifference(settings, books.settings);
    if (difference !== undefined && received?.difference !== difference) logger.error({ chainId }, difference);
    received = { books, difference, at };
  }

  // After a failed read, the previous report ages.
  const tryToRead = () => read().catch(() => undefined);
  const tried = tryToRead();
  let reading: Promise<void> = tried;
  const unlisten = store.hear((notice) => {
    if (notice === undefined || notice === `books ${chainId}`) reading = reading.then(tryToRead);
  });
  const repeating = repeat({ clock, timers: createTimers(clock) }, sharingLimits.betweenLooks, tryToRead, () => {});

  function faultOf(contract: Address): string | undefined {
    if (received === undefined) return 'the state of its ledger has not been read yet';
    const reported = received.books.standings.get(contract);
    if (reported === undefined) return 'no process keeps its ledger';
    // If the clock was set back, the elapsed time is unknown.
    const age = reported.age + Math.abs(clock.now() - received.at);
    if (age <= sharingLimits.maxSilence) return reported.fault;
    return `no process has kept its ledger for ${Math.floor(age / 1_000)} seconds`;
  }

  return {
    tried,
    faultOf,
    reportedFaultOf: (contract) => received?.books.standings.get(contract)?.fault,
    isKept: (contract) => received?.books.standings.get(contract)?.state === 'kept' && faultOf(contract) === undefined,
    difference: () => received?.difference,
    close: async () => {
      unlisten();
      await repeating.close();
      await reading;
    },
  };
}
