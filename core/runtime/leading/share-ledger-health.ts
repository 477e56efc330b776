import type { Address } from 'viem';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { createTimers, repeat } from '../../base/time/timers.ts';
import type { BehindByContract } from '../../ledger/following/behind.ts';
import { type LedgerStanding, writeStandings } from '../../ledger/following/ledger-standings.ts';
import { asLeader } from '../../store/leading/as-leader.ts';
import { notifyOthers } from '../../store/notices/notify-others.ts';
import type { Store } from '../../store/store.ts';
import type { FollowHealth } from '../follow-health.ts';
import { followLeaderStandings } from './follow-leader-standings.ts';
import { sharingLimits } from './sharing-limits.ts';
import { whileLeading } from './while-leading.ts';

/** Whether the ledger of a chain follows it, whichever process keeps them. */
export type LedgerHealth = Pick<FollowHealth, 'followed' | 'faultOf' | 'fault'> & {
  /** Resolves when it is known what was told of them last. */
  readonly tried: Promise<void>;
  close(): Promise<void>;
};

/**
 * Where several processes are at the database: the one that leads says every few seconds, and whenever it changes, how the
 * ledger stands, and the others take its word. What was stopped by the last word stays so for one that begins to lead until its
 * ledger is in step.
 */
export function shareLedgerHealth(options: {
  readonly chainId: number;
  readonly contracts: readonly Address[];
  /** What this process decides about money by. */
  readonly settings: string;
  readonly health: FollowHealth;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}): LedgerHealth {
  const { chainId, contracts, settings, health, store, clock } = options;
  const { leadership } = store;
  const received = followLeaderStandings(options);
  let hasReceived = false;
  let hasTakenOver = false;
  /** A look has come to the ledger since this process leads. */
  let hasFollowed = false;
  let reported = '';

  const keeps = () => leadership.leads() && hasTakenOver;
  function change(): void {
    hasFollowed = false;
    hasTakenOver = leadership.leads() && hasReceived;
    if (hasTakenOver) health.takeOver(stoppedOf(contracts, received.reportedFaultOf));
  }
  const unlisten = leadership.onChange(change);
  const tried = received.tried.then(() => {
    hasReceived = true;
    change();
  });

  async function tell(): Promise<void> {
    if (!keeps() || !hasFollowed) return;
    const standings = new Map(contracts.map((contract) => [contract, health.standingOf(contract)]));
    const text = describe(standings);
    await asLeader(store).transaction(async (trx) => {
      await writeStandings(trx, { chainId, standings, settings });
      if (text !== reported) await notifyOthers(trx, `books ${chainId}`);
    });
    reported = text;
  }

  // That nothing can be written is said by the store, and that nothing is said is noticed by the others.
  const tryToTell = () => tell().catch(() => undefined);
  const telling = whileLeading(leadership, () =>
    repeat({ clock, timers: createTimers(clock) }, sharingLimits.betweenWords, tryToTell, () => {}),
  );

  function faultOf(contract: Address): string | undefined {
    if (keeps()) return health.faultOf(contract);
    return received.difference() ?? received.faultOf(contract);
  }

  function fault(): string | undefined {
    if (keeps() && hasFollowed) return health.fault();
    // Before its first look the one that leads goes by what the one before it has said.
    const silent = health.silence();
    if (silent !== undefined) return silent;
    const faults = contracts.map(faultOf);
    if (!faults.includes(undefined)) return faults[0];
    const isAnyKept = contracts.some(received.isKept);
    return isAnyKept ? undefined : 'the ledger is catching up with the chain';
  }

  return {
    tried,
    faultOf,
    fault,
    followed: (behind: BehindByContract) => {
      if (!keeps()) return;
      hasFollowed = true;
      health.followed(behind);
      const standings = new Map(contracts.map((contract) => [contract, health.standingOf(contract)]));
      if (describe(standings) !== reported) void tryToTell();
    },
    close: async () => {
      unlisten();
      await Promise.all([received.close(), telling.close()]);
    },
  };
}

function stoppedOf(
  contracts: readonly Address[],
  faultOf: (contract: Address) => string | undefined,
): ReadonlyMap<Address, string> {
  return new Map(
    contracts.flatMap((contract) => {
      const fault = faultOf(contract);
      return fault === undefined ? [] : [[contract, fault]];
    }),
  );
}

function describe(standings: ReadonlyMap<Address, LedgerStanding>): string {
  return JSON.stringify([...standings]);
}
