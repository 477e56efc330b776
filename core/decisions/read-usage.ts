import { maxUsageRows } from '@tollfree/contract/limits';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Core, Owned } from '../domain/core.ts';
import type { DecisionOutcome, SettlementState } from '../domain/decision.ts';
import { accept } from '../domain/result/result.ts';
import type { Clock } from '../domain/time/clock.ts';
import { unixSeconds } from '../domain/time/unix-seconds.ts';
import { readUtcDays, type UtcDays } from '../domain/time/utc-days.ts';
import type { UsageDimension, UsageRow } from '../domain/usage.ts';
import { omitAbsent } from '../domain/values/omit-absent.ts';
import type { Database } from '../store/database.ts';
import type { Dialect } from '../store/dialect.ts';
import { dialectOf } from '../store/dialect-of.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../store/own-paymaster.ts';
import type { Store } from '../store/store.ts';
import { sumWeiText } from '../store/wei/sum-wei.ts';
import { fromWeiText } from '../store/wei/wei-text.ts';
import { noKey } from './usage-counts.ts';

type Parts = { readonly store: Store; readonly clock: Clock };

/**
 * Adds up usage from the decisions that are kept and the totals of those that were pruned, both of one moment, in the thread
 * that reads: there can be a million of them.
 */
export function createReadUsage({ store, clock }: Parts): Core['readUsage'] {
  return async ({ by, from, until, ...owned }) => {
    const days = readUtcDays(omitAbsent({ from, until }), unixSeconds(clock));
    if (!days.ok) return days;
    if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
    return accept(await store.read((snapshot) => sumUsage(snapshot, owned, by, days.value)));
  };
}

/** The rows that cost most: by what was spent, then by what is held, then by the number of decisions. */
async function sumUsage(
  snapshot: Transaction<Database>,
  owned: Owned,
  by: UsageDimension,
  days: UtcDays,
): Promise<readonly UsageRow[]> {
  const { rows } = await sql<SummedRow>`
    SELECT key, sum(signed) AS signed, sum(quoted) AS quoted, sum(stub) AS stub, sum(refused) AS refused,
      sum(landed) AS landed, ${sumWeiText('charge')} AS charge, sum(priced) AS priced,
      CAST(coalesce(sum(charge_usd), 0) AS TEXT) AS charge_usd, ${sumWeiText('held')} AS held
    FROM (${keptDecisions(snapshot, owned, by, days)} UNION ALL ${prunedDecisions(snapshot, owned, by, days)}) AS counted
    GROUP BY key
    ORDER BY charge DESC, held DESC, sum(signed + quoted + stub + refused) DESC, key
    LIMIT ${maxUsageRows}`.execute(snapshot);
  return rows.map(({ key, signed, quoted, stub, refused, landed, charge, priced, charge_usd, held }) => ({
    key,
    decisions: { signed, quoted, stub, refused },
    landed,
    charge: fromWeiText(charge),
    chargeUsdMicros: BigInt(charge_usd),
    unpriced: landed - priced,
    held: fromWeiText(held),
  }));
}

type SummedRow = Readonly<
  Record<'key' | 'charge' | 'charge_usd' | 'held', string> &
    Record<'signed' | 'quoted' | 'stub' | 'refused' | 'landed' | 'priced', number>
>;

/** Each with its key, or with each of its keys; a hold's cost goes with the last signature of the hold. */
function keptDecisions(
  db: Kysely<Database>,
  owned: Owned,
  by: UsageDimension,
  { from, until }: UtcDays,
): RawBuilder<unknown> {
  const { key, each } = keyOf(by, dialectOf(db));
  return sql`
    SELECT ${key} AS key, ${one('decision.outcome', 'signed')} AS signed, ${one('decision.outcome', 'quoted')} AS quoted,
      ${one('decision.outcome', 'stub')} AS stub, ${one('decision.outcome', 'refused')} AS refused,
      ${one('hold.state', 'settled')} AS landed, CASE hold.state WHEN 'settled' THEN hold.charge END AS charge,
      CASE WHEN hold.state = 'settled' AND hold.charge_usd IS NOT NULL THEN 1 ELSE 0 END AS priced,
      CASE hold.state WHEN 'settled' THEN hold.charge_usd END AS charge_usd,
      CASE hold.state WHEN 'live' THEN hold.amount END AS held
    FROM decisions AS decision
    LEFT JOIN holds AS hold ON hold.hold_id = decision.hold_id AND decision.outcome = 'signed' AND NOT EXISTS (
      SELECT 1 FROM decisions AS later WHERE later.hold_id = decision.hold_id
        AND later.decision_number > decision.decision_number AND later.outcome = 'signed'
    ) ${each?.join ?? sql``}
    WHERE decision.paymaster_id = ${ownPaymasterId(db, owned)}
      AND decision.created_at >= ${from} AND decision.created_at < ${until} ${each?.once ?? sql``}`;
}

/** 1 where a column has this value, else 0. */
function one(column: string, value: DecisionOutcome | SettlementState): RawBuilder<number> {
  return sql<number>`CASE ${sql.ref(column)} WHEN ${sql.lit(value)} THEN 1 ELSE 0 END`;
}

type Key = {
  readonly key: RawBuilder<unknown>;
  /** Where it is the calls' key: their join, and that the same key counts once. */
  readonly each?: { readonly join: RawBuilder<unknown>; readonly once: RawBuilder<unknown> };
};

/** The key of a decision by `usageKeys`, in SQL. */
function keyOf(by: UsageDimension, dialect: Dialect): Key {
  const none = sql.lit(noKey);
  switch (by) {
    case 'day':
      return { key: dialect.dayOf(sql`decision.created_at`) };
    case 'sender':
    case 'token':
      return { key: sql`coalesce(${sql.ref(`decision.${by}`)}, ${none})` };
    case 'outcome':
      return { key: sql`decision.outcome` };
    case 'contract':
      return keyOfCalls(dialect, (call) => sql`${call} ->> 'target'`);
    case 'method':
      return keyOfCalls(
        dialect,
        (call) => sql`(${call} ->> 'target') || ':' || coalesce(${call} ->> 'selector', '0x')`,
      );
  }
}

function keyOfCalls(dialect: Dialect, keyOfCall: (call: RawBuilder<unknown>) => RawBuilder<unknown>): Key {
  const calls = dialect.eachCallIn(sql`decision.record`);
  return {
    key: sql`coalesce(${keyOfCall(sql`call.value`)}, ${sql.lit(noKey)})`,
    each: {
      join: sql`LEFT JOIN ${calls} AS call ON true`,
      once: sql`AND (call.key IS NULL OR call.key = 0 OR NOT EXISTS (
        SELECT 1 FROM ${calls} AS earlier
        WHERE earlier.key < call.key AND ${keyOfCall(sql`earlier.value`)} = ${keyOfCall(sql`call.value`)}
      ))`,
    },
  };
}

function prunedDecisions(
  db: Kysely<Database>,
  owned: Owned,
  by: UsageDimension,
  { days }: UtcDays,
): RawBuilder<unknown> {
  return sql`
    SELECT key, signed, quoted, stub, refused, landed, charge, priced, charge_usd, NULL FROM usage_totals
    WHERE paymaster_id = ${ownPaymasterId(db, owned)} AND dimension = ${by}
      AND day BETWEEN ${days[0]} AND ${days.at(-1)}`;
}
