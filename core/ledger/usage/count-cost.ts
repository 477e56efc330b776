import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { createPlaceholder } from '../../store/statements/placeholder.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { plusWei } from '../../store/wei.ts';
import { type KeyedDecision, otherKey, type UsageSumKey, usageKeys } from './usage-keys.ts';

/**
 * What the operation of a hold cost its tank, in wei, and in millionths of a USD when a price was known; `usersPaid` is how
 * much of it a user paid for in a token, in wei.
 */
export type CostOfHold = {
  readonly holdId: number;
  readonly charge: bigint;
  readonly usersPaid: bigint;
  readonly usdMicros: number | null;
};

/** Adds what an operation cost to the sums of usage; takes it off where `times` is -1, as another decision is to have its cost. */
export async function changeCost(transaction: Transaction<Database>, cost: CostOfHold, times: 1 | -1): Promise<void> {
  const [[decision]] = await runTogether(transaction, lastSignedOf(cost));
  await runTogether(transaction, costWrite(decision, cost, times));
}

/**
 * The decision in whose sums the cost of a hold is: its last signature, since the one that landed is not known of every hold.
 * Nothing where that is no longer kept: an operation that landed, was rolled back and lands again counts as it did. Nor where it
 * is not counted yet: it is counted with its cost then.
 */
export const lastSignedOf = fixedStatement<Pick<CostOfHold, 'holdId'>>()(({ value }) => {
  const columns = sql.raw(
    'decision_number, paymaster_id, created_at, method, outcome, sender, token, key_number, record',
  );
  return sql<KeyedDecision & { readonly paymaster_id: string }>`
    SELECT paymaster_id, created_at, method, outcome, sender, token, key_number, record FROM (
      SELECT ${columns} FROM decisions WHERE hold_id = ${value('holdId')} AND outcome = 'signed'
      ORDER BY decision_number DESC LIMIT 1) AS signed
    WHERE decision_number <= (SELECT until_number FROM counted_decisions)`;
});

/** A statement that adds a cost to the sums of a decision, or takes it off. */
export function costWrite(
  decision: RowOf<typeof lastSignedOf> | undefined,
  { charge, usersPaid, usdMicros }: CostOfHold,
  times: 1 | -1,
): Statement<unknown> {
  const worth = usdMicros === null ? {} : { priced: times, usdMicros: times * usdMicros };
  const wei = { charge: BigInt(times) * charge, usersPaid: BigInt(times) * usersPaid };
  return changedSums(decision, { ...noChange, landed: times, ...wei, ...worth });
}

/** How much the sums change that a decision is part of: counts, wei, and millionths of a USD; each can be below zero. */
type UsageChange = {
  readonly signed: number;
  readonly refused: number;
  readonly landed: number;
  readonly charge: bigint;
  readonly usersPaid: bigint;
  readonly priced: number;
  readonly usdMicros: number;
};

export const noChange: UsageChange = {
  signed: 0,
  refused: 0,
  landed: 0,
  charge: 0n,
  usersPaid: 0n,
  priced: 0,
  usdMicros: 0,
};

const columns = { paymaster_id: 'text', dimension: 'text', day: 'number', key: 'text' } as const;

/** A statement that changes the sums that a decision has been counted in, if there is one. */
export function changedSums(
  decision: (KeyedDecision & { readonly paymaster_id: string }) | undefined,
  change: UsageChange,
): Statement<unknown> {
  return addToSums(decision && { ...change, paymasterId: decision.paymaster_id, keys: usageKeys(decision) });
}

type Changed = UsageChange & { readonly paymasterId: string; readonly keys: readonly UsageSumKey[] };

const addToSums = fixedStatement<Changed>()(({ value, rows }) => {
  const plus = (column: string, name: keyof Changed) =>
    sql`${sql.ref(column)} = usage_sums.${sql.ref(column)} + ${value(name)}`;
  const plusAmount = (column: string, name: 'charge' | 'usersPaid') =>
    sql`${sql.ref(column)} = ${plusWei(
      `usage_sums.${column}`,
      createPlaceholder((changed: Changed) => changed[name]),
    )}`;
  // With the paymaster in each row the planner searches by the whole key, instead of through all sums of the paymaster.
  const keys = rows(columns, (changed) =>
    changed.keys.map(({ dimension, day, key }) => [changed.paymasterId, dimension, day, key]),
  );
  // A key without a row was counted under the one that the rest of its day shares.
  const counted = sql`SELECT DISTINCT paymaster_id, dimension, day, CASE WHEN EXISTS (
      SELECT 1 FROM usage_sums AS own WHERE own.paymaster_id = listed.paymaster_id AND own.dimension = listed.dimension
        AND own.day = listed.day AND own.key = listed.key
    ) THEN key ELSE ${sql.lit(otherKey)} END AS key FROM ${keys} AS listed`;
  return sql`
    UPDATE usage_sums SET
      ${plus('signed', 'signed')}, ${plus('refused', 'refused')}, ${plus('landed', 'landed')},
      ${plusAmount('charge', 'charge')}, ${plusAmount('users_paid', 'usersPaid')},
      ${plus('priced', 'priced')}, ${plus('usd_micros', 'usdMicros')}
    FROM (${counted}) AS changed
    WHERE usage_sums.paymaster_id = changed.paymaster_id AND usage_sums.dimension = changed.dimension
      AND usage_sums.day = changed.day AND usage_sums.key = changed.key
  `;
});
