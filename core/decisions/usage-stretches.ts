import type { Transaction } from 'kysely';
import type { Owned } from '../domain/access/actor.ts';
import { secondsPerDay } from '../domain/utc-days.ts';
import { longSpanDays, startOf } from '../ledger/usage/usage-keys.ts';
import type { Database } from '../store/database.ts';
import { ownPaymasterId } from '../store/own-paymaster.ts';

/** Sums of so many days each that make up a time without a gap, `from` up to and without `until`, in Unix seconds. */
export type Stretch = { readonly spanDays: 1 | typeof longSpanDays; readonly from: number; readonly until: number };

const longSpan = longSpanDays * secondsPerDay;

/**
 * The fewest sums that make up the days which are asked for: whole weeks, and days before and after them. A week counts as whole
 * where nothing was decided in those of its days that are not asked for.
 */
export async function stretchesOf(
  snapshot: Transaction<Database>,
  { owned, ...asked }: { readonly owned: Owned; readonly from: number; readonly until: number },
): Promise<readonly Stretch[]> {
  const { oldest, newest } = await snapshot
    .selectFrom('usage_sums')
    .select(({ fn }) => [fn.min<number | null>('day').as('oldest'), fn.max<number | null>('day').as('newest')])
    .where('paymaster_id', '=', ownPaymasterId(snapshot, owned))
    .where('dimension', '=', 'day')
    .where('span_days', '=', 1)
    .executeTakeFirstOrThrow();
  const from = oldest !== null && oldest >= asked.from ? startOf(asked.from, longSpanDays) : asked.from;
  const until = newest !== null && newest < asked.until ? endOfWeek(asked.until) : asked.until;
  const firstWeek = endOfWeek(from);
  const afterWeeks = startOf(until, longSpanDays);
  if (firstWeek >= afterWeeks) return [{ spanDays: 1, from, until }];
  const stretches: readonly Stretch[] = [
    { spanDays: 1, from, until: firstWeek },
    { spanDays: longSpanDays, from: firstWeek, until: afterWeeks },
    { spanDays: 1, from: afterWeeks, until },
  ];
  return stretches.filter((stretch) => stretch.from < stretch.until);
}

/** The first moment from the given one on at which a week begins. */
function endOfWeek(moment: number): number {
  return startOf(moment + longSpan - 1, longSpanDays);
}
