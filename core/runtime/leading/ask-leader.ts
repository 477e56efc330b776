import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from 'viem';
import { notifyOthers } from '../../store/notices.ts';
import type { Store } from '../../store/store.ts';

/** Time limits for processes that share the ledger of a chain, in milliseconds. */
export const sharingLimits = {
  /** Interval of the leader's reports when nothing changes. */
  betweenWords: 5_000,
  /** Interval at which the others read the report when they are not notified. */
  betweenLooks: 2_000,
  /** Without a report for this long, the ledger counts as kept by no one. Another process leads within ten seconds. */
  maxSilence: 30_000,
  /** How long a request to update the ledger waits. */
  maxWait: 5_000,
} as const;

type Asked = {
  readonly store: Store;
  readonly chainId: number;
  readonly contracts: readonly Address[];
  /** The block up to which the ledger must be complete. */
  readonly confirmed: bigint;
};

/**
 * Asks the process that keeps the ledger of a chain to update it at once. Resolves when it includes everything up to a
 * block; rejects if it does not within a few seconds.
 */
export async function askLeader({ store, chainId, contracts, confirmed }: Asked): Promise<void> {
  let answered = () => {};
  let answer = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const unlisten = store.hear((notice) => {
    if (notice === undefined || notice === `looked ${chainId}`) answered();
  });
  const waiting = new AbortController();
  let isLate = false;
  const late = pause(sharingLimits.maxWait, undefined, { signal: waiting.signal }).then(
    () => {
      isLate = true;
    },
    () => undefined,
  );
  try {
    await store.transaction((trx) => notifyOthers(trx, `look ${chainId}`));
    for (;;) {
      await Promise.race([answer, late]);
      // The first answer may be from a pass that was already running: the requested one follows.
      answer = new Promise<void>((resolve) => {
        answered = resolve;
      });
      if (await haveReached(store, { chainId, contracts, confirmed })) return;
      if (isLate) throw new Error('The process that keeps the ledger has not updated it in time');
    }
  } finally {
    unlisten();
    waiting.abort();
  }
}

async function haveReached(store: Store, { chainId, contracts, confirmed }: Omit<Asked, 'store'>): Promise<boolean> {
  const rows = await store.db
    .selectFrom('contract_watches')
    .select('next_block')
    .where('chain_id', '=', chainId)
    .where('contract', 'in', contracts)
    .execute();
  return rows.length === contracts.length && rows.every(({ next_block }) => BigInt(next_block) > confirmed);
}

/** Work that runs once at a time, shared by all callers that want it. */
type SharingTurns = {
  /** The running turn, or a new one. */
  join(): Promise<void>;
  /** A turn that begins after this call: callers during a running turn share the one after it. */
  next(): Promise<void>;
  /** Resolves when nothing is running. */
  ended(): Promise<void>;
};

export function createSharingTurns(work: () => Promise<void>): SharingTurns {
  let underWay: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  function join(): Promise<void> {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  return {
    join,
    next: () => {
      if (underWay === undefined) return join();
      following ??= underWay
        .catch(() => undefined)
        .then(() => {
          following = undefined;
          return join();
        });
      return following;
    },
    ended: async () => {
      await (following ?? underWay)?.catch(() => undefined);
    },
  };
}
