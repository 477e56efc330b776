import type { Transaction } from 'kysely';
import { calledKey } from '../../policies/called-limits.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { keepCounters, nextNumbers, nextOf } from './ledger-accounts.ts';

/** Whose limits: those of a policy, or of one of a paymaster's keys. */
export function ownerOfPolicy(policy: PolicyKey): string {
  return policyKey(policy);
}

/** Whose limits: those of one of a paymaster's keys, by its number. */
export function ownerOfKey(paymasterId: string, keyNumber: number): string {
  return `${paymasterId}/key/${keyNumber}`;
}

type Scope = Pick<CountedLimit, 'per' | 'window' | 'unit' | 'contract' | 'method'>;

/** What a limit counts, whatever its maximum: a limit that counts the same goes on counting. */
function scopeOf(limit: Scope): string {
  return [limit.per, limit.window, limit.unit, calledKey(limit) ?? ''].join(' ');
}

/** The numbers of limits. A limit without one gets it from the first hold that it counts: it counts from when it is set. */
export type LimitNumbers = {
  of(owner: string, limit: Scope): number;
  /** Statements that write the numbers that were given. */
  writes(): readonly Statement<unknown>[];
};

/** The counter of limits and budgets. */
export const limitCounter = 'limit';

/** The numbers of the limits of some owners. */
export const numbersOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('limit_numbers').select(['owner', 'scope', 'limit_id']).where('owner', 'in', texts()),
);

/** Numbers of the rows that were read. `next` has the row of {@link limitCounter}; it may lack where nothing is written. */
export function toLimitNumbers(
  rows: readonly RowOf<typeof numbersOf>[],
  next?: readonly RowOf<typeof nextNumbers>[],
): LimitNumbers {
  const known = new Map(rows.map(({ owner, scope, limit_id }) => [`${owner} ${scope}`, limit_id]));
  const given: { readonly owner: string; readonly scope: string; readonly limit_id: number }[] = [];
  // Without the counter nothing is written: a limit without a number has counted nothing.
  const first = next === undefined ? Number.MAX_SAFE_INTEGER : nextOf(next, limitCounter);
  return {
    of: (owner, limit) => {
      const scope = scopeOf(limit);
      const key = `${owner} ${scope}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const limit_id = first + given.length;
      given.push({ owner, scope, limit_id });
      known.set(key, limit_id);
      return limit_id;
    },
    writes: () => [
      insertNumbers(given),
      keepCounters(given.length === 0 ? [] : [{ next: first + given.length, name: limitCounter }]),
    ],
  };
}

const insertNumbers = insertRows('limit_numbers', { owner: 'text', scope: 'text', limit_id: 'number' });

/** A number for a budget, which keeps it itself. */
export async function takeLimitNumber(transaction: Transaction<Database>): Promise<number> {
  const [rows] = await runTogether(transaction, nextNumbers({ names: [limitCounter] }));
  const taken = nextOf(rows, limitCounter);
  await runTogether(transaction, keepCounters([{ name: limitCounter, next: taken + 1 }]));
  return taken;
}

/** Ends the numbers of an owner's limits, except for those that count the same as one of these: set again, they begin at zero. */
export async function endOtherLimits(
  transaction: Transaction<Database>,
  owner: string,
  kept: readonly Scope[] = [],
): Promise<void> {
  const scopes = new Set(kept.map(scopeOf));
  const rows = await transaction
    .selectFrom('limit_numbers')
    .select(['scope', 'limit_id'])
    .where('owner', '=', owner)
    .execute();
  const ended = rows.filter(({ scope }) => !scopes.has(scope)).map(({ limit_id }) => limit_id);
  if (ended.length === 0) return;
  await transaction.deleteFrom('limit_numbers').where('owner', '=', owner).where('limit_id', 'in', ended).execute();
  await endNumbers(transaction, ended);
}

/** Has the accounts of limits that are gone deleted in the background: there can be one for each sender. */
export async function endNumbers(transaction: Transaction<Database>, limitIds: readonly number[]): Promise<void> {
  await transaction
    .insertInto('ended_limits')
    .values(limitIds.map((limit_id) => ({ limit_id })))
    .execute();
}
