import type { Transaction } from 'kysely';
import { calledKey } from '../../policies/called-limits.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { type Counters, storedCounters, toCounters } from '../counters.ts';

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
  /** A statement that writes the numbers that were given. */
  writes(): Statement<unknown>;
};

/** The numbers of the limits of some owners. */
export const numbersOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('limit_numbers').select(['owner', 'scope', 'limit_id']).where('owner', 'in', texts()),
);

/** What limits are numbered with where nothing is written: one without a number has counted nothing. */
const unnumbered = 0;

/** Numbers of the rows that were read. Counters may lack where nothing is written. */
export function toLimitNumbers(rows: readonly RowOf<typeof numbersOf>[], counters?: Counters): LimitNumbers {
  const known = new Map(rows.map(({ owner, scope, limit_id }) => [`${owner} ${scope}`, limit_id]));
  const given: { readonly owner: string; readonly scope: string; readonly limit_id: number }[] = [];
  return {
    of: (owner, limit) => {
      const scope = scopeOf(limit);
      const key = `${owner} ${scope}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const limit_id = counters?.take('limit') ?? unnumbered;
      given.push({ owner, scope, limit_id });
      known.set(key, limit_id);
      return limit_id;
    },
    writes: () => insertNumbers(given),
  };
}

const insertNumbers = insertRows('limit_numbers', { owner: 'text', scope: 'text', limit_id: 'number' });

/** A number for a budget, which keeps it itself. */
export async function takeLimitNumber(transaction: Transaction<Database>): Promise<number> {
  const [rows] = await runTogether(transaction, storedCounters({ names: ['limit'] }));
  const counters = toCounters(rows);
  const taken = counters.take('limit');
  await runTogether(transaction, counters.writes());
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
