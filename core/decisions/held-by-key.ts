import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Owned } from '../domain/access/actor.ts';
import type { UsageDimension } from '../domain/usage.ts';
import { noKey, relayMethods } from '../ledger/usage/usage-keys.ts';
import type { Database } from '../store/database.ts';
import type { Dialect } from '../store/dialect.ts';
import { ownPaymasterId } from '../store/own-paymaster.ts';

/**
 *
 *
 * The held amount of each live hold of a paymaster (`held`), under each `key` of the hold's last signature, if that was
 * given from `from` (inclusive) to `until` (exclusive), in Unix seconds.
 */
export function heldByKey(
  db: Transaction<Database>,
  asked: {
    readonly dialect: Dialect;
    readonly owned: Owned;
    readonly by: UsageDimension;
    readonly from: number;
    readonly until: number;
  },
): RawBuilder<unknown> {
  const { key, join, once } = keyOf(asked.by, asked.dialect);
  return sql`
    SELECT ${key} AS key, hold.amount AS held
    FROM holds AS hold JOIN decisions AS decision ON decision.decision_number = (
      SELECT max(signature.decision_number) FROM decisions AS signature
      WHERE signature.hold_id = hold.hold_id AND signature.outcome = 'signed'
    ) ${join ?? sql``}
    WHERE hold.state = 'live' AND hold.paymaster_id = ${ownPaymasterId(db, asked.owned)}
      AND decision.created_at >= ${asked.from} AND decision.created_at < ${asked.until} ${once ?? sql``}`;
}

type Key = {
  readonly key: RawBuilder<unknown>;
  /** For dimensions with several keys per decision: its calls, and a condition that counts the same key once. */
  readonly join?: RawBuilder<unknown>;
  readonly once?: RawBuilder<unknown>;
};

/** The key of a decision as `usageKeys` has it, in SQL. */
function keyOf(by: UsageDimension, dialect: Dialect): Key {
  const none = sql.lit(noKey);
  switch (by) {
    case 'day':
      return { key: sql`CAST(decision.created_at - decision.created_at % 86400 AS TEXT)` };
    case 'hour':
      return { key: sql`CAST(decision.created_at - decision.created_at % 3600 AS TEXT)` };
    case 'via': {
      const relayed = sql.join([...relayMethods].map((method) => sql.lit(method)));
      return { key: sql`CASE WHEN decision.method IN (${relayed}) THEN 'relay' ELSE 'paymaster' END` };
    }
    case 'sender':
    case 'token':
      return { key: sql`coalesce(${sql.ref(`decision.${by}`)}, ${none})` };
    case 'outcome':
      return { key: sql`decision.outcome` };
    case 'attribution':
      return {
        key: sql`code.atom`,
        join: sql`JOIN ${dialect.eachIn('attribution', sql`decision.record`)} AS code ON true`,
      };
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
  const calls = dialect.eachIn('calls', sql`decision.record`);
  return {
    key: sql`coalesce(${keyOfCall(sql`call.value`)}, ${sql.lit(noKey)})`,
    join: sql`LEFT JOIN ${calls} AS call ON true`,
    once: sql`AND (call.key IS NULL OR call.key = 0 OR NOT EXISTS (
      SELECT 1 FROM ${calls} AS earlier
      WHERE earlier.key < call.key AND ${keyOfCall(sql`earlier.value`)} = ${keyOfCall(sql`call.value`)}
    ))`,
  };
}
