import { maxChosenUsageKeys } from '@tollfree/contract/limits';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import {
  type KeyedDecision,
  noCounts,
  otherKey,
  type UsageSumKey,
  usageKeyColumns,
  usageKeys,
  usageSumColumns,
} from './usage-keys.ts';

/** Most keys of the decisions that are added in one transaction; at least one decision is. */
const maxKeysAtOnce = 2_000;

/**
 * Adds decisions to the sums of usage, each by its outcome, in the order given. Returns how many: the first of them, as far as one
 * transaction takes them.
 */
export async function addUsage(
  transaction: Transaction<Database>,
  decisions: readonly KeyedDecision[],
): Promise<number> {
  const keyed: (readonly UsageSumKey[])[] = [];
  for (let keys = 0; keyed.length < decisions.length && keys < maxKeysAtOnce; keys += keyed.at(-1)?.length ?? 0) {
    const next = decisions[keyed.length];
    if (next !== undefined) keyed.push(usageKeys(next));
  }
  const added = decisions.slice(0, keyed.length);
  const sums = await readSums(transaction, added, keyed);
  for (const [index, decision] of added.entries()) {
    const { paymaster_id: paymasterId } = decision;
    const counted = new Set((keyed[index] ?? []).map((key) => openSum(sums, paymasterId, key)));
    for (const sum of counted) sum[decision.outcome] += 1;
  }
  await runTogether(transaction, writeSums([...sums.values()].map(rowOf)));
  return added.length;
}

/** A row in numbers that can be added. */
type Sum = Omit<Selectable<Database['usage_sums']>, 'charge' | 'users_paid'> & { charge: bigint; users_paid: bigint };
type Sums = Map<string, Sum>;

function identityOf(paymasterId: string, { dimension, day, key }: Omit<UsageSumKey, 'isChosen'>): string {
  return `${paymasterId} ${dimension} ${day} ${key}`;
}

/** The rows that there are of these keys. All writers take turns, so they are still the same when they are written. */
async function readSums(
  transaction: Transaction<Database>,
  decisions: readonly KeyedDecision[],
  keyed: readonly (readonly UsageSumKey[])[],
): Promise<Sums> {
  const wanted = new Map<string, readonly [string, string, number, string]>();
  for (const [index, { paymaster_id: paymasterId }] of decisions.entries()) {
    for (const each of keyed[index] ?? []) {
      for (const key of [each.key, ...(each.isChosen ? [otherKey] : [])]) {
        const { dimension, day } = each;
        wanted.set(identityOf(paymasterId, { dimension, day, key }), [paymasterId, dimension, day, key]);
      }
    }
  }
  const { rows } = await sql<Selectable<Database['usage_sums']>>`
    SELECT usage_sums.* FROM ${dialectOf(transaction).rows(usageKeyColumns, [...wanted.values()])} AS wanted
    JOIN usage_sums ON usage_sums.paymaster_id = wanted.paymaster_id AND usage_sums.dimension = wanted.dimension
      AND usage_sums.day = wanted.day AND usage_sums.key = wanted.key`.execute(transaction);
  return new Map(
    rows.map((row) => [
      identityOf(row.paymaster_id, row),
      { ...row, charge: fromWeiText(row.charge), users_paid: fromWeiText(row.users_paid) },
    ]),
  );
}

/** The sum of a key, or the one that the rest of the day shares where the day has its most keys. */
function openSum(sums: Sums, paymasterId: string, { dimension, day, key, isChosen }: UsageSumKey): Sum {
  const known = sums.get(identityOf(paymasterId, { dimension, day, key }));
  if (known !== undefined) return known;
  if (isChosen && dimension === 'relayedMethod') {
    // Under the key of its method: the rest of a method's row is what contracts paid.
    const method = openSum(sums, paymasterId, { dimension: 'method', day, key, isChosen });
    return openSum(sums, paymasterId, { dimension, day, key: method.key, isChosen: false });
  }
  if (isChosen) {
    const ofDay = openSum(sums, paymasterId, { dimension: 'day', day, key: '', isChosen: false });
    if (ofDay.chosen_keys >= maxChosenUsageKeys) {
      return openSum(sums, paymasterId, { dimension, day, key: otherKey, isChosen: false });
    }
    ofDay.chosen_keys += 1;
  }
  const sum = { paymaster_id: paymasterId, dimension, day, key, ...noCounts, charge: 0n, users_paid: 0n };
  sums.set(identityOf(paymasterId, sum), sum);
  return sum;
}

function rowOf(sum: Sum) {
  return { ...sum, charge: toWeiText(sum.charge), users_paid: toWeiText(sum.users_paid) };
}

const writeSums = insertRows(
  'usage_sums',
  { ...usageKeyColumns, ...usageSumColumns },
  {
    onConflict: `(paymaster_id, dimension, day, key) DO UPDATE SET
      ${Object.keys(usageSumColumns).map((column) => `${column} = excluded.${column}`)}`,
  },
);
