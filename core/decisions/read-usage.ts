import { usdText } from '@tollfree/contract/fields/forms';
import { maxUsageDaysByHour, maxUsageRows } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { Owned } from '../domain/access/actor.ts';
import type { Core } from '../domain/core.ts';
import type { DecisionOutcome } from '../domain/decision.ts';
import { accept } from '../domain/result/result.ts';
import type { UsageDimension, UsageRow, UsageSumDimension } from '../domain/usage.ts';
import { dayOf, readUtcDays } from '../domain/utc-days.ts';
import { noKey, otherKey, relayMethods } from '../ledger/usage/usage-keys.ts';
import type { Database } from '../store/database.ts';
import { type Dialect, dialectOf } from '../store/dialect-of.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../store/own-paymaster.ts';
import type { Store } from '../store/store.ts';
import { fromWeiText, sumWeiText } from '../store/wei.ts';

type Parts = { readonly store: Store; readonly clock: Clock };

/** Whose usage, and from `from` (inclusive) to `until` (exclusive), in Unix seconds. */
type Asked = { readonly owned: Owned; readonly by: UsageDimension; readonly from: number; readonly until: number };

/**
 * Adds up the stored sums of days, and the amounts of live holds, from one snapshot, in the reading thread: there
 * may be many senders.
 */
export function createReadUsage({ store, clock }: Parts): Core['getUsage'] {
  return async ({ by, from, until, ...owned }) => {
    const most = by === 'hour' ? { defaultDays: 2, maxDays: maxUsageDaysByHour } : {};
    const days = readUtcDays(omitAbsent({ from, until }), unixSeconds(clock), most);
    if (!days.ok) return days;
    if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
    const asked = { owned, by, from: days.value.from, until: days.value.until };
    return accept(await store.read((snapshot) => sumUsage(snapshot, asked)));
  };
}

/** The senders of operations that landed, each once. */
async function countUsers(snapshot: Transaction<Database>, asked: Asked): Promise<number> {
  const { rows } = await sql<{ readonly users: number }>`
    SELECT count(DISTINCT key) AS users ${sumsOf(snapshot, asked, 'sender')}
      AND landed > 0 AND key NOT IN (${sql.lit(noKey)}, ${sql.lit(otherKey)})`.execute(snapshot);
  return rows[0]?.users ?? 0;
}

/**
 * What at least 95 of 100 operations that landed and have a price cost at most, in millionths of a USD, as their sums say it: rounded
 * up. Undefined if there is none.
 */
async function readCostOf95Percent(snapshot: Transaction<Database>, asked: Asked): Promise<bigint | undefined> {
  const { rows } = await sql<{ readonly highest: string | null }>`
    SELECT CAST(min(highest) AS TEXT) AS highest FROM (
      SELECT CAST(key AS BIGINT) AS highest, sum(sum(landed)) OVER (ORDER BY CAST(key AS BIGINT)) AS up_to,
        sum(sum(landed)) OVER () AS all_costs
      ${sumsOf(snapshot, asked, 'cost')} AND landed > 0 GROUP BY key
    ) AS costs WHERE up_to * 100 >= all_costs * 95`.execute(snapshot);
  const [{ highest } = { highest: null }] = rows;
  return highest === null ? undefined : BigInt(highest);
}

/** The most expensive rows: by spending, then by held amounts, then by the number of decisions. */
async function sumUsage(snapshot: Transaction<Database>, asked: Asked): Promise<readonly UsageRow[]> {
  const counts = sql`signed + quoted + stub + refused`;
  const { rows } = await sql<SummedRow>`
    WITH kept AS MATERIALIZED (${keptSums(snapshot, asked)})
    SELECT ${shownKey(snapshot, asked)} AS shown_key, sum(signed) AS signed, sum(quoted) AS quoted, sum(stub) AS stub, sum(refused) AS refused,
      sum(landed) AS landed, ${sumWeiText('charge')} AS charge, ${sumWeiText('users_paid')} AS users_paid, sum(priced) AS priced,
      CAST(coalesce(sum(usd_micros), 0) AS TEXT) AS usd_micros, ${sumWeiText('held')} AS held
    FROM (SELECT * FROM kept UNION ALL ${held(snapshot, asked)}) AS counted
    GROUP BY shown_key
    HAVING sum(${counts}) > 0 OR sum(landed) > 0
    ORDER BY charge DESC, held DESC, sum(${counts}) DESC, shown_key
    LIMIT ${maxUsageRows}`.execute(snapshot);
  const isTotal = asked.by === 'total' && rows.length > 0;
  const users = isTotal ? await countUsers(snapshot, asked) : undefined;
  const costOf95PercentUsdMicros = isTotal ? await readCostOf95Percent(snapshot, asked) : undefined;
  return rows.map((row) =>
    omitAbsent({
      key: writeKey[asked.by]?.(row.shown_key) ?? row.shown_key,
      decisions: { signed: row.signed, quoted: row.quoted, stub: row.stub, refused: row.refused },
      landed: row.landed,
      charge: fromWeiText(row.charge),
      usersPaid: fromWeiText(row.users_paid),
      chargeUsdMicros: BigInt(row.usd_micros),
      unpriced: row.landed - row.priced,
      held: fromWeiText(row.held),
      users,
      costOf95PercentUsdMicros,
    }),
  );
}

/**
 * The key that a stored one is reported as. Sums of apiKeys have a number, which stays when an apiKey is replaced; reports have
 * the id of the newest apiKey.
 */
function shownKey(snapshot: Transaction<Database>, { owned, by }: Asked): RawBuilder<unknown> {
  if (by !== 'apiKey') return sql`key`;
  return sql`coalesce((
    SELECT api_key_id FROM api_keys WHERE paymaster_id = ${ownPaymasterId(snapshot, owned)}
      AND CAST(key_number AS TEXT) = counted.key AND expires_at IS NULL
  ), ${sql.lit(otherKey)})`;
}

/** Keys stored as Unix seconds, and as millionths of a USD. */
const writeKey: Readonly<Partial<Record<UsageDimension, (stored: string) => string>>> = {
  day: (seconds) => dayOf(Number(seconds)),
  hour: (seconds) => `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 16)}Z`,
  cost: (usdMicros) => usdText(BigInt(usdMicros)),
};

type SummedRow = Readonly<
  Record<'shown_key' | 'charge' | 'users_paid' | 'usd_micros' | 'held', string> &
    Record<'signed' | 'quoted' | 'stub' | 'refused' | 'landed' | 'priced', number>
>;

function keptSums(snapshot: Transaction<Database>, asked: Asked): RawBuilder<unknown> {
  const { by } = asked;
  if (by === 'outcome') return byOutcome(snapshot, asked);
  return sql`
    SELECT ${by === 'day' ? sql`CAST(day AS TEXT)` : by === 'total' ? sql.lit(by) : sql`key`} AS key, signed, quoted, stub, refused, landed, charge,
      users_paid, priced, usd_micros, NULL AS held ${sumsOf(snapshot, asked, by === 'total' ? 'day' : by)}`;
}

/** From the daily sums, which have a column per outcome. Operation costs belong to signatures. */
function byOutcome(snapshot: Transaction<Database>, asked: Asked): RawBuilder<unknown> {
  const days = sumsOf(snapshot, asked, 'day');
  const only = (outcome: DecisionOutcome, column: DecisionOutcome) => (outcome === column ? sql.ref(column) : sql`0`);
  const ofOutcome = (outcome: DecisionOutcome) => sql`
    SELECT ${sql.lit(outcome)} AS key, ${only(outcome, 'signed')} AS signed, ${only(outcome, 'quoted')} AS quoted,
      ${only(outcome, 'stub')} AS stub, ${only(outcome, 'refused')} AS refused,
      ${outcome === 'signed' ? sql`landed, charge, users_paid, priced, usd_micros` : sql`0, NULL, NULL, 0, 0`}, NULL AS held ${days}`;
  return sql.join((['signed', 'quoted', 'stub', 'refused'] as const).map(ofOutcome), sql` UNION ALL `);
}

function sumsOf(
  snapshot: Transaction<Database>,
  { owned, from, until }: Asked,
  dimension: UsageSumDimension,
): RawBuilder<unknown> {
  return sql`
    FROM usage_sums WHERE paymaster_id = ${ownPaymasterId(snapshot, owned)} AND dimension = ${sql.lit(dimension)}
      AND day >= ${from} AND day < ${until}`;
}

function held(snapshot: Transaction<Database>, { owned, by, from, until }: Asked): RawBuilder<unknown> {
  const amounts = heldByKey(snapshot, { dialect: dialectOf(snapshot), owned, by, from, until });
  // What has no sum of its own was counted under the key that the rest of its day shares.
  const key = sql`CASE WHEN key IN (SELECT key FROM kept) THEN key ELSE ${sql.lit(otherKey)} END`;
  return sql`SELECT ${key}, 0, 0, 0, 0, 0, NULL, NULL, 0, 0, held FROM (${amounts}) AS held_by_key`;
}

/**
 * The held amount of each live hold of a paymaster (`held`), under each `key` of the hold's last signature, if that was
 * given from `from` (inclusive) to `until` (exclusive), in Unix seconds.
 */
function heldByKey(
  db: Transaction<Database>,
  asked: {
    readonly dialect: Dialect;
    readonly owned: Owned;
    readonly by: UsageDimension;
    readonly from: number;
    readonly until: number;
  },
): RawBuilder<unknown> {
  const { key, join, where } = keyOf(asked.by, asked.dialect);
  // An operation that names a key several times counts once under it.
  return sql`
    SELECT DISTINCT ${key} AS key, hold.hold_id, hold.amount AS held
    FROM holds AS hold JOIN decisions AS decision ON decision.decision_number = (
      SELECT max(signature.decision_number) FROM decisions AS signature
      WHERE signature.hold_id = hold.hold_id AND signature.outcome = 'signed'
    ) ${join ?? sql``}
    WHERE hold.state = 'live' AND hold.paymaster_id = ${ownPaymasterId(db, asked.owned)}
      AND decision.created_at >= ${asked.from} AND decision.created_at < ${asked.until}
      ${where === undefined ? sql`` : sql`AND ${where}`}`;
}

type Key = {
  readonly key: RawBuilder<unknown>;
  /** For dimensions with several keys per decision: its calls. */
  readonly join?: RawBuilder<unknown>;
  /** For dimensions with a part of the decisions. */
  readonly where?: RawBuilder<unknown>;
};

/** The key of a decision as `usageKeys` has it, in SQL. */
function keyOf(by: UsageDimension, dialect: Dialect): Key {
  const none = sql.lit(noKey);
  const isRelayed = sql`decision.method IN (${sql.join([...relayMethods].map((method) => sql.lit(method)))})`;
  switch (by) {
    case 'day':
      return { key: sql`CAST(decision.created_at - decision.created_at % 86400 AS TEXT)` };
    case 'hour':
      return { key: sql`CAST(decision.created_at - decision.created_at % 3600 AS TEXT)` };
    case 'via':
      return { key: sql`CASE WHEN ${isRelayed} THEN 'relay' ELSE 'paymaster' END` };
    case 'cost':
      // What is held has not cost anything yet.
      return { key: none, where: sql`false` };
    case 'apiKey':
      return { key: sql`CAST(decision.key_number AS TEXT)` };
    case 'sender':
    case 'token':
      return { key: sql`coalesce(${sql.ref(`decision.${by}`)}, ${none})` };
    case 'outcome':
      return { key: sql`decision.outcome` };
    case 'total':
      return { key: sql.lit(by) };
    case 'attribution':
      return {
        key: sql`code.atom`,
        join: sql`JOIN ${dialect.eachIn('attribution', sql`decision.record`)} AS code ON true`,
      };
    case 'contract':
      return keyOfCalls(dialect, (call) => sql`${call} ->> 'target'`);
    case 'method':
      return keyOfCalls(dialect, methodOf);
    case 'relayedMethod':
      return { ...keyOfCalls(dialect, methodOf), where: isRelayed };
  }
}

function methodOf(call: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${call} ->> 'target') || ':' || coalesce(${call} ->> 'selector', '0x')`;
}

function keyOfCalls(dialect: Dialect, keyOfCall: (call: RawBuilder<unknown>) => RawBuilder<unknown>): Key {
  const calls = dialect.eachIn('calls', sql`decision.record`);
  return {
    key: sql`coalesce(${keyOfCall(sql`call.value`)}, ${sql.lit(noKey)})`,
    join: sql`LEFT JOIN ${calls} AS call ON true`,
  };
}
