import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { storedSubject } from '../../policies/called-limits.ts';
import { policyKey } from '../../policies/policy-key.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import { worthUsdMicros } from '../../policies/worth-usd.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';
import { beginningOf, holdsAfter, readArchivedUsage, sumHours } from '../counts/countable-holds.ts';
import {
  getUsage,
  isGivenBack,
  type KeptUsage,
  type LimitUsage,
  type UsageKey,
  writeUsage,
} from '../counts/limit-usage.ts';
import { type UsageSubject, usageKey } from '../counts/usage-key.ts';

/**
 * How much of a limit is used in its window for a hold made now, as far as it can be determined without writing: undefined
 * if it still has to be counted, or valued in USD.
 */
export async function readUsed(
  db: Kysely<Database>,
  limit: CountedLimit,
  hold: UsageSubject,
): Promise<bigint | undefined> {
  const key = usageKey(limit, hold);
  const inUsd = limit.unit === 'usdMicros';
  const kept = await getUsage(db, key);
  if (kept !== undefined && kept.upTo === undefined && (kept.countsUsd || !inUsd))
    return BigInt(kept.usage[limit.unit]);
  const found =
    key.subject === '' && key.called === undefined && !inUsd ? await sumHours(db, key) : await sumHolds(db, key, inUsd);
  return found === undefined ? undefined : BigInt({ usdMicros: 0n, ...found }[limit.unit]);
}

/** One sender, user or ticket has few; undefined when there are more than are counted at once. */
async function sumHolds(db: Kysely<Database>, key: UsageKey, inUsd: boolean): Promise<LimitUsage | undefined> {
  const rows = await holdsAfter(db, key, beginningOf(key), holdsInStep + 1);
  if (rows.length > holdsInStep) return undefined;
  const { unpricedWei, ...sum } = await readArchivedUsage(db, key);
  if (inUsd && unpricedWei > 0n) return undefined;
  for (const row of rows) {
    if (isGivenBack(row) || row.counted === null) continue;
    if (inUsd && row.usd_micros === null) return undefined;
    sum.operations += row.calls;
    sum.wei += fromWeiText(row.counted);
    sum.usdMicros += BigInt(row.usd_micros ?? 0);
  }
  return sum;
}

/** Counts windows that requests need, in steps, between which other work gets its turn. */
type CountBehind = { want(counts: Iterable<WantedCount>): void };

/** Requests under such a limit are refused until it is counted; the first one after that marks the count as complete. */
export function createCountBehind(store: Store): CountBehind {
  const wanted = new Map<string, WantedCount>();
  let running = false;

  async function run(): Promise<void> {
    running = true;
    for (const [identity, count] of wanted) {
      // If it fails, the next request asks for it again.
      await countAll(store, count).catch(() => undefined);
      wanted.delete(identity);
    }
    running = false;
  }

  return {
    want: (counts) => {
      for (const count of counts) wanted.set(usageIdentity(count.key), count);
      if (!running) void run();
    },
  };
}

async function countAll(store: Store, count: WantedCount): Promise<void> {
  while (!(await store.transaction((transaction) => countStep(transaction, count))).isAll) await nextTurn();
}

/** A count as one string, for maps. */
export function usageIdentity(key: UsageKey): string {
  return `${policyKey(key)}:${storedSubject(key)}:${key.window}:${key.start}`;
}

/** Holds counted in one transaction, which takes a few milliseconds. */
export const holdsInStep = 2_000;

/** Which count, and the price at which it values holds if it counts USD: millionths of a USD for 10^18 wei. */
export type WantedCount = { readonly key: UsageKey; readonly usdMicrosPerCoin?: bigint };

/** How far a count has come after a step. */
type CountStep = {
  readonly kept: KeptUsage;
  /** No hold is left in the window: the count can be marked as complete in this transaction. */
  readonly isAll: boolean;
  /** The worth that holds were given in this step, by their ids. */
  readonly worths: ReadonlyMap<number, bigint>;
};

/**
 * Counts some more holds of a window, from the beginning or from where the last step stopped. Holds made while no limit
 * needed USD are valued at the current price, which they keep.
 *
 * The count is never marked as complete here: only a caller that makes sure every later hold is added to it may do so. A
 * complete one is left as it is. One of all senders together without USD is available at once, from the sums per hour:
 * nothing is written here for that.
 */
export async function countStep(
  transaction: Transaction<Database>,
  { key, usdMicrosPerCoin }: WantedCount,
): Promise<CountStep> {
  const countsUsd = usdMicrosPerCoin !== undefined;
  const found = await getUsage(transaction, key);
  if (found !== undefined && found.upTo === undefined && (found.countsUsd || !countsUsd)) {
    return { kept: found, isAll: true, worths: new Map() };
  }
  if (!countsUsd && key.subject === '' && key.called === undefined) {
    const usage = { ...(await sumHours(transaction, key)), usdMicros: 0n };
    return { kept: { usage, countsUsd }, isAll: true, worths: new Map() };
  }
  const usable = found?.countsUsd === countsUsd ? found : undefined;
  const usage = { ...(usable?.usage ?? (await beginCount(transaction, key, usdMicrosPerCoin))) };
  const rows = await holdsAfter(transaction, key, usable?.upTo ?? beginningOf(key), holdsInStep);
  const worths = new Map<number, bigint>();
  for (const row of rows) {
    if (isGivenBack(row) || row.counted === null) continue;
    const wei = fromWeiText(row.counted);
    usage.operations += row.calls;
    usage.wei += wei;
    if (usdMicrosPerCoin === undefined) continue;
    const worth = row.usd_micros === null ? worthUsdMicros(wei, usdMicrosPerCoin) : BigInt(row.usd_micros);
    if (row.usd_micros === null) worths.set(row.hold_id, worth);
    usage.usdMicros += worth;
  }
  const last = rows.at(-1);
  const upTo =
    last === undefined ? (usable?.upTo ?? beginningOf(key)) : { createdAt: last.created_at, holdId: last.hold_id };
  const kept = { usage, countsUsd, upTo };
  if (worths.size > 0) await writeWorths(transaction, worths);
  await writeUsage(transaction, key, kept);
  return { kept, isAll: rows.length < holdsInStep, worths };
}

/** Includes what is archived; in USD with what it is worth at the current price, where it had not been valued. */
async function beginCount(
  transaction: Transaction<Database>,
  key: UsageKey,
  usdMicrosPerCoin: bigint | undefined,
): Promise<LimitUsage> {
  const { unpricedWei, ...usage } = await readArchivedUsage(transaction, key);
  const usdMicros =
    usdMicrosPerCoin === undefined ? 0n : usage.usdMicros + worthUsdMicros(unpricedWei, usdMicrosPerCoin);
  return { ...usage, usdMicros };
}

async function writeWorths(transaction: Transaction<Database>, worths: ReadonlyMap<number, bigint>): Promise<void> {
  const pairs = [...worths].map(([holdId, worth]) => [holdId, Number(worth)] as const);
  // One statement for any number of them.
  await transaction
    .updateTable('holds')
    .from(dialectOf(transaction).numberPairs(pairs).as('worth'))
    .set(({ ref }) => ({ usd_micros: ref('worth.value') }))
    .whereRef('holds.hold_id', '=', 'worth.id')
    .execute();
}

/** Marks a count that includes all holds of its window in this transaction as complete. */
export async function finishCount(
  transaction: Transaction<Database>,
  key: UsageKey,
  { usage, countsUsd }: KeptUsage,
): Promise<KeptUsage> {
  const kept = { usage, countsUsd };
  await writeUsage(transaction, key, kept);
  return kept;
}
