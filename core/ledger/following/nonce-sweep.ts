import { sql } from 'kysely';
import type { Address } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { Watched } from '../../node/followed-chain.ts';
import type { Store } from '../../store/store.ts';
import { closeHolds } from '../holds/close-holds.ts';
import { hasMovedOn, hasMovedOnByAll } from '../releasing/prove-ended.ts';

/** Nonces checked per turn, and how old a hold is before it is checked, in seconds: most have landed by then. */
const maxAtOnce = 20;
const minAge = 60;
/** The time from one round through all holds to the next, in seconds. */
const roundSeconds = 60;

type Sweeping = {
  readonly chainId: number;
  readonly client: ChainClient;
  /** Each of the chain's nodes on its own. */
  readonly nodes: readonly ChainClient[];
  readonly watched: Watched;
  readonly store: Store;
  readonly clock: Clock;
};
type OpenHold = Place & { readonly sender: Address; readonly nonce: bigint };
/**
 * The place of a hold in the order of a round: by the end of its signatures (Unix seconds), like the index of live holds.
 */
type Place = { readonly validUntil: number; readonly holdId: number };
const beginning: Place = { validUntil: 0, holdId: 0 };

/**
 * Ends holds whose nonce the account has used up for something else, which none of our events shows: the EntryPoint never
 * accepts an operation with that nonce again. For contracts whose signatures never expire, the only other way is a release
 * by the operator.
 */
export type NonceSweep = {
  /** Checks some of the holds, as of a confirmed block up to which the ledger has been posted. */
  turn(confirmed: bigint): Promise<void>;
};

export function createNonceSweep(options: Sweeping): NonceSweep {
  let after: Place = beginning;
  let nextRound = 0;
  // For the whole round: holds that become old enough meanwhile would delay those after them, which may never expire.
  let madeUpTo = 0;
  return {
    async turn(confirmed) {
      const now = unixSeconds(options.clock);
      // A round that is further in the future than that was set by a clock that was ahead.
      if (after === beginning && now < nextRound && nextRound - now <= roundSeconds) return;
      if (after === beginning) [nextRound, madeUpTo] = [now + roundSeconds, now - minAge];
      const holds = await readOpenHolds(options, { after, madeUpTo });
      after = (holds.length < maxAtOnce ? undefined : holds.at(-1)) ?? beginning;
      const ended = await Promise.all(
        holds.map(async (hold) => ((await isUsedUp(options, hold, confirmed)) ? [hold] : [])),
      );
      if (ended.flat().length > 0) await releaseHolds(options, ended.flat(), now);
    },
  };
}

/**
 * Live holds made up to then, in the order of a round. In the order of their ids, all holds that ever existed would be read.
 */
async function readOpenHolds(
  { store, chainId, watched }: Sweeping,
  { after, madeUpTo }: { readonly after: Place; readonly madeUpTo: number },
): Promise<readonly OpenHold[]> {
  const rows = await store.db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select(['holds.hold_id', 'holds.valid_until', 'holds.sender', 'holds.nonce'])
    // A literal, or the index of live holds is not used.
    .where('holds.state', '=', sql.lit('live'))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('holds.valid_until', 'holds.hold_id'), '>', tuple(after.validUntil, after.holdId)),
    )
    .where('holds.created_at', '<=', madeUpTo)
    .where('tanks.chain_id', '=', chainId)
    .where(
      'tanks.contract',
      'in',
      watched.contracts.map(({ address }) => address),
    )
    .orderBy('holds.valid_until')
    .orderBy('holds.hold_id')
    .limit(maxAtOnce)
    .execute();
  return rows.map((row) => ({
    holdId: row.hold_id,
    validUntil: row.valid_until,
    sender: row.sender as Address,
    nonce: BigInt(row.nonce),
  }));
}

/** Rarely true: the first node is believed when it says no; a yes counts only when no other node says otherwise. */
async function isUsedUp(
  { client, nodes, watched }: Sweeping,
  { sender, nonce }: OpenHold,
  blockNumber: bigint,
): Promise<boolean> {
  const used = { entryPoint: watched.entryPoint, sender, nonce };
  return (await hasMovedOn(client, used, blockNumber)) && hasMovedOnByAll(nodes, used, blockNumber);
}

/** Releases those that are still live: one may have landed, or expired, since it was read. */
async function releaseHolds({ store }: Sweeping, holds: readonly OpenHold[], now: number): Promise<void> {
  await store.transaction(async (transaction) => {
    const end = { state: 'released', because: 'replaced', now } as const;
    await closeHolds(transaction, new Map(holds.map(({ holdId }) => [holdId, end])));
  });
}
