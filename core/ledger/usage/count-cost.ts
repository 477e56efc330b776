import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { createPlaceholder } from '../../store/statements/placeholder.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, plusWei, toWeiText } from '../../store/wei.ts';
import {
  costKey,
  type KeyedDecision,
  noCounts,
  otherKey,
  type UsageSumKey,
  usageKeyColumns,
  usageKeys,
  usageSumColumns,
} from './usage-keys.ts';

/** Entries that are counted in one transaction. */
const entriesAtOnce = 100;

/**
 * Counts what operations cost their tanks, by the next entries of the journal after one number: each in the sums of the decision that
 * signed it. Returns the number of the last entry, and whether that was all.
 */
export async function countCosts(
  transaction: Transaction<Database>,
  after: number,
): Promise<{ readonly until: number; readonly isAll: boolean }> {
  const entries = await transaction
    .selectFrom('journal')
    .leftJoin('journal as reversed', 'reversed.entry_id', 'journal.reverses')
    .select(['journal.entry_id', 'journal.kind', 'journal.hold_id', 'journal.amount', 'journal.users_paid'])
    .select(['journal.usd_micros', 'journal.reverses', 'journal.created_at', 'reversed.created_at as reversed_at'])
    .where('journal.entry_id', '>', after)
    .orderBy('journal.entry_id')
    .limit(entriesAtOnce)
    .execute();
  const costs = entries.flatMap((entry) => {
    const { kind, hold_id: holdId, reversed_at: reversedAt } = entry;
    if (kind !== 'settle' || holdId === null) return [];
    return [{ entry, holdId, at: reversedAt ?? entry.created_at }];
  });
  const decisions = await runTogether<readonly KeyedDecision[]>(transaction, ...costs.map(signedFor));
  await runTogether(
    transaction,
    openCosts(costRowsOf(costs.map(({ entry }, index) => ({ decision: decisions[index]?.[0], entry })))),
    ...costs.map(({ entry }, index) => {
      const decision = decisions[index]?.[0];
      const { amount, users_paid: usersPaid, usd_micros: usdMicros, reverses } = entry;
      const times = reverses === null ? 1 : -1;
      const worth = usdMicros === null ? {} : { priced: times, usdMicros: times * usdMicros };
      const wei = {
        charge: BigInt(times) * fromWeiText(amount),
        usersPaid: BigInt(times) * (usersPaid === null ? 0n : fromWeiText(usersPaid)),
      };
      const ofCost = decision === undefined || usdMicros === null ? [] : [costKey(decision, usdMicros)];
      return changedSums(decision, { ...noChange, landed: times, ...wei, ...worth }, ofCost);
    }),
  );
  return { until: entries.at(-1)?.entry_id ?? after, isAll: entries.length < entriesAtOnce };
}

/**
 * The decision in whose sums the cost of a hold is: its last signature when it landed (`at`, Unix seconds), since the one that landed
 * is not known of every hold; its first if the clocks of two processes differ. An entry and its reversal have the same.
 */
const signedFor = fixedStatement<{ readonly holdId: number; readonly at: number }>()(
  ({ value }) => sql<KeyedDecision>`
    SELECT paymaster_id, created_at, method, outcome, sender, token, record, key_number FROM decisions
    WHERE decision_number = coalesce(
      (SELECT max(decision_number) FROM decisions
        WHERE hold_id = ${value('holdId')} AND outcome = 'signed' AND created_at <= ${value('at')}),
      (SELECT min(decision_number) FROM decisions WHERE hold_id = ${value('holdId')} AND outcome = 'signed'))`,
);

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

/** A statement that changes the sums that a decision has been counted in, if there is one, and `others` that there are. */
export function changedSums(
  decision: KeyedDecision | undefined,
  change: UsageChange,
  others: readonly UsageSumKey[] = [],
): Statement<unknown> {
  if (decision === undefined) return addToSums(undefined);
  return addToSums({ ...change, paymasterId: decision.paymaster_id, keys: [...usageKeys(decision), ...others] });
}

/** Of the sums of costs only those are there that something was counted in before. */
const openCosts = insertRows(
  'usage_sums',
  { ...usageKeyColumns, ...usageSumColumns },
  { onConflict: '(paymaster_id, dimension, day, key) DO NOTHING' },
);

/** An empty row for each sum of costs that entries count in, unless they reverse one that did. */
function costRowsOf(
  costs: readonly {
    readonly decision: KeyedDecision | undefined;
    readonly entry: { readonly usd_micros: number | null; readonly reverses: number | null };
  }[],
) {
  const rows = costs.flatMap(({ decision, entry: { usd_micros: usdMicros, reverses } }) => {
    if (decision === undefined || usdMicros === null || reverses !== null) return [];
    const { dimension, day, key } = costKey(decision, usdMicros);
    const none = toWeiText(0n);
    return [{ paymaster_id: decision.paymaster_id, dimension, day, key, ...noCounts, charge: none, users_paid: none }];
  });
  return [...new Map(rows.map((row) => [`${row.paymaster_id} ${row.day} ${row.key}`, row])).values()];
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
  const taken = (name: 'charge' | 'usersPaid') =>
    createPlaceholder((changed: Changed) => toWeiText(changed[name] < 0n ? -changed[name] : 0n));
  // Amounts are plain decimal text: the longer one is the greater.
  const covers = (column: string, name: 'charge' | 'usersPaid') => {
    const [sum, least] = [sql.ref(`usage_sums.${column}`), sql`CAST(${taken(name)} AS TEXT)`];
    return sql`(length(${sum}), ${sum}) >= (length(${least}), ${least})`;
  };
  // With the paymaster in each row the planner searches by the whole key, instead of through all sums of the paymaster.
  const keys = rows(usageKeyColumns, (changed) =>
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
      -- Nothing is taken off that is not there: the signature may have turned out to be none since it was counted.
      AND usage_sums.priced + ${value('priced')} BETWEEN 0 AND usage_sums.landed + ${value('landed')}
      AND usage_sums.usd_micros + ${value('usdMicros')} >= 0
      AND ${covers('charge', 'charge')} AND ${covers('users_paid', 'usersPaid')}
  `;
});
