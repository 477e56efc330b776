import { maxUsageRows } from '@tollfree/contract/limits';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Core } from '../domain/core.ts';
import { accept } from '../domain/result/result.ts';
import type { Clock } from '../domain/time/clock.ts';
import { unixSeconds } from '../domain/time/unix-seconds.ts';
import type { UsageDimension, UsageRow } from '../domain/usage.ts';
import { omitAbsent } from '../domain/values/omit-absent.ts';
import type { Database } from '../store/database.ts';
import { ownsPaymaster, paymasterNotFound } from '../store/own-paymaster.ts';
import type { Store } from '../store/store.ts';
import { sumWeiText } from '../store/sum-wei.ts';
import { fromWeiText } from '../store/wei-text.ts';
import { noKey } from './usage-counts.ts';
import { readUsageDays, type UsageDays } from './usage-days.ts';

type Parts = { readonly store: Store; readonly clock: Clock };

/**
 * Adds up usage from the decisions that are kept and the totals of those that were pruned, both of one moment, in the thread
 * that reads: there can be a million of them.
 */
export function createReadUsage({ store, clock }: Parts): Core['readUsage'] {
  return async ({ by, from, until, ...owned }) => {
    const days = readUsageDays(omitAbsent({ from, until }), unixSeconds(clock));
    if (!days.ok) return days;
    if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
    return accept(await store.read((snapshot) => sumUsage(snapshot, owned.paymasterId, by, days.value)));
  };
}

/** The rows that cost most: by what was spent, then by what is held, then by the number of decisions. */
async function sumUsage(
  snapshot: Transaction<Database>,
  paymasterId: string,
  by: UsageDimension,
  days: UsageDays,
): Promise<readonly UsageRow[]> {
  const { rows } = await sql<SummedRow>`
    SELECT key, sum(signed) AS signed, sum(quoted) AS quoted, sum(stub) AS stub, sum(refused) AS refused,
      sum(landed) AS landed, ${sumWeiText('charge')} AS charge, ${sumWeiText('held')} AS held
    FROM (${keptDecisions(paymasterId, by, days)} UNION ALL ${prunedDecisions(paymasterId, by, days)})
    GROUP BY key
    ORDER BY charge DESC, held DESC, sum(signed + quoted + stub + refused) DESC, key
    LIMIT ${maxUsageRows}`.execute(snapshot);
  return rows.map(({ key, signed, quoted, stub, refused, landed, charge, held }) => ({
    key,
    decisions: { signed, quoted, stub, refused },
    landed,
    charge: fromWeiText(charge),
    held: fromWeiText(held),
  }));
}

type SummedRow = Readonly<
  Record<'key' | 'charge' | 'held', string> & Record<'signed' | 'quoted' | 'stub' | 'refused' | 'landed', number>
>;

/** Each with its key, or with each of its keys; a hold's cost goes with the last signature of the hold. */
function keptDecisions(paymasterId: string, by: UsageDimension, { from, until }: UsageDays): RawBuilder<unknown> {
  const ofHold = (state: string, value: RawBuilder<unknown>) =>
    sql`CASE WHEN hold.state = ${sql.lit(state)} AND decision.outcome = 'signed' AND NOT EXISTS (
      SELECT 1 FROM decisions AS later WHERE later.hold_id = decision.hold_id
        AND later.decision_number > decision.decision_number AND later.outcome = 'signed'
    ) THEN ${value} END`;
  const { key, each } = keyOf(by);
  return sql`
    SELECT ${each === undefined ? sql`` : sql`DISTINCT decision.decision_number,`} ${key} AS key,
      decision.outcome = 'signed' AS signed, decision.outcome = 'quoted' AS quoted, decision.outcome = 'stub' AS stub,
      decision.outcome = 'refused' AS refused, coalesce(${ofHold('settled', sql`1`)}, 0) AS landed,
      ${ofHold('settled', sql`hold.charge`)} AS charge, ${ofHold('live', sql`hold.amount`)} AS held
    FROM decisions AS decision LEFT JOIN holds AS hold ON hold.hold_id = decision.hold_id ${each ?? sql``}
    WHERE decision.paymaster_id = ${paymasterId} AND decision.created_at >= ${from} AND decision.created_at < ${until}`;
}

/** The key of a decision by `usageKeys`, in SQL; `each` joins the calls, where they are what it is counted by. */
function keyOf(by: UsageDimension): { readonly key: RawBuilder<unknown>; readonly each?: RawBuilder<unknown> } {
  const none = sql.lit(noKey);
  const each = sql`LEFT JOIN json_each(decision.record, '$.facts.calls') AS call`;
  const target = sql`json_extract(call.value, '$.target')`;
  switch (by) {
    case 'day':
      return { key: sql`date(decision.created_at, 'unixepoch')` };
    case 'sender':
    case 'token':
      return { key: sql`coalesce(${sql.ref(`decision.${by}`)}, ${none})` };
    case 'outcome':
      return { key: sql`decision.outcome` };
    case 'contract':
      return { each, key: sql`coalesce(${target}, ${none})` };
    case 'method':
      return {
        each,
        key: sql`coalesce(${target} || ':' || coalesce(json_extract(call.value, '$.selector'), '0x'), ${none})`,
      };
  }
}

function prunedDecisions(paymasterId: string, by: UsageDimension, { days }: UsageDays): RawBuilder<unknown> {
  const columns = sql.join(['signed', 'quoted', 'stub', 'refused', 'landed', 'charge'].map((name) => sql.ref(name)));
  return sql`
    SELECT ${by === 'contract' || by === 'method' ? sql`NULL,` : sql``} key, ${columns}, NULL
    FROM usage_totals
    WHERE paymaster_id = ${paymasterId} AND dimension = ${by}
      AND day BETWEEN ${days[0]} AND ${days.at(-1)}`;
}
