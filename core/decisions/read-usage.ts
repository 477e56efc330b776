import { setImmediate as nextTurn } from 'node:timers/promises';
import { maxUsageRows } from '@tollfree/contract/limits';
import type { Core, Owned } from '../domain/core.ts';
import { invalidField } from '../domain/result/invalid-field.ts';
import { accept } from '../domain/result/result.ts';
import type { Clock } from '../domain/time/clock.ts';
import { unixSeconds } from '../domain/time/unix-seconds.ts';
import type { UsageDimension, UsageRow } from '../domain/usage.ts';
import { omitAbsent } from '../domain/values/omit-absent.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../store/own-paymaster.ts';
import type { Store } from '../store/store.ts';
import { fromWeiText } from '../store/wei-text.ts';
import { countedDecisions } from './counted-decisions.ts';
import { addDecision, countsOf, type UsageCounts, usageKeys } from './usage-counts.ts';
import { readUsageDays, type UsageDays } from './usage-days.ts';
import type { UsageGate } from './usage-gate.ts';

/** Different keys that are added up. */
const maxKeys = 200_000;
/** Decisions that are read before others get their turn. */
const decisionsAtOnce = 2_000;

type Parts = { readonly store: Store; readonly clock: Clock; readonly gate: UsageGate };

/** Adds up usage from the decisions that are kept and the totals of those that were pruned. */
export function createReadUsage({ store, clock, gate }: Parts): Core['readUsage'] {
  return async ({ by, from, until, ...owned }) => {
    const asked = omitAbsent({ from, until });
    const days = readUsageDays(asked, unixSeconds(clock));
    if (!days.ok) return days;
    if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
    const counts = new Map<string, UsageCounts>();
    const isComplete = await gate.reading(
      async () =>
        (await addTotals(store, owned, by, days.value, counts)) &&
        (await addDecisions(store, owned, by, days.value, counts)),
    );
    if (!isComplete) return invalidField('from', `must be later: these days have more than ${maxKeys} rows`);
    return accept([...counts].map(toRow).sort(byCost).slice(0, maxUsageRows));
  };
}

/** False when there were too many keys, as with the next one. */
async function addTotals(
  { db }: Store,
  owned: Owned,
  by: UsageDimension,
  { days }: UsageDays,
  counts: Map<string, UsageCounts>,
): Promise<boolean> {
  for (const day of days) {
    const rows = await db
      .selectFrom('usage_totals')
      .select(['key', 'signed', 'quoted', 'stub', 'refused', 'landed', 'charge'])
      .where('paymaster_id', '=', ownPaymasterId(db, owned))
      .where('dimension', '=', by)
      .where('day', '=', day)
      .limit(maxKeys + 1)
      .execute();
    for (const row of rows) {
      const sum = countsOf(counts, row.key);
      sum.signed += row.signed;
      sum.quoted += row.quoted;
      sum.stub += row.stub;
      sum.refused += row.refused;
      sum.landed += row.landed;
      sum.charge += fromWeiText(row.charge);
    }
    if (counts.size > maxKeys) return false;
    await nextTurn();
  }
  return true;
}

/** Up to the newest decision of this moment: what comes meanwhile is left out, also as the last signature of a hold. */
async function addDecisions(
  { db }: Store,
  owned: Owned,
  by: UsageDimension,
  { from, until }: UsageDays,
  counts: Map<string, UsageCounts>,
): Promise<boolean> {
  const { oldest, newest } = await db
    .selectFrom('decisions')
    .select(({ fn }) => [
      fn.min<number | null>('decision_number').as('oldest'),
      fn.max<number | null>('decision_number').as('newest'),
    ])
    .where('paymaster_id', '=', ownPaymasterId(db, owned))
    .executeTakeFirstOrThrow();
  if (oldest === null || newest === null) return true;
  for (let first = oldest; first <= newest; first += decisionsAtOnce) {
    const rows = await countedDecisions(db, newest)
      .where('decision.paymaster_id', '=', ownPaymasterId(db, owned))
      .where('decision.decision_number', '>=', first)
      .where('decision.decision_number', '<', Math.min(first + decisionsAtOnce, newest + 1))
      .where('decision.created_at', '>=', from)
      .where('decision.created_at', '<', until)
      .execute();
    for (const row of rows) for (const key of usageKeys(by, row)) addDecision(counts, key, row);
    if (counts.size > maxKeys) return false;
    await nextTurn();
  }
  return true;
}

function toRow([key, { signed, quoted, stub, refused, landed, charge, held }]: readonly [
  string,
  UsageCounts,
]): UsageRow {
  return { key, decisions: { signed, quoted, stub, refused }, landed, charge, held };
}

/** By what was spent, then by what is held, then by the number of decisions. */
function byCost(a: UsageRow, b: UsageRow): number {
  if (a.charge !== b.charge) return a.charge > b.charge ? -1 : 1;
  if (a.held !== b.held) return a.held > b.held ? -1 : 1;
  return decisionsOf(b) - decisionsOf(a) || (a.key < b.key ? -1 : 1);
}

function decisionsOf({ decisions: { signed, quoted, stub, refused } }: UsageRow): number {
  return signed + quoted + stub + refused;
}
