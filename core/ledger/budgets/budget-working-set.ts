import type { Kysely } from 'kysely';
import { windowStart } from '../../policies/schedule/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { type StoredBudget, toStoredBudget } from './budget-row.ts';
import { readWorth } from './worth-sums.ts';

/**
 * A budget, and what is used of it in one window, in millionths of a USD: with what has been decided since it was read.
 */
export type BudgetCount = { readonly budget: StoredBudget; readonly start: number; used: bigint };

/** The budgets that concern some holds, as they stand in the transaction that it was read in. */
export type BudgetWorkingSet = {
  /** Whose a paymaster is; undefined of one that no one has. */
  accountOf(paymasterId: string): string | undefined;
  /** Those that a hold of a paymaster counts in, made at `createdAt` (Unix seconds). */
  counts(paymasterId: string, createdAt: number): readonly BudgetCount[];
};

/**
 * Reads the budgets that holds of paymasters, made at certain times, count in: each window once, whichever of them
 * share it.
 */
export async function readBudgetWorkingSet(
  db: Kysely<Database>,
  holds: readonly { readonly paymasterId: string; readonly createdAt: number }[],
): Promise<BudgetWorkingSet> {
  const accounts = new Map<string, string>();
  const budgets = new Map<string, StoredBudget>();
  const counted = new Map<string, BudgetCount>();
  for (const row of await readRows(db, [...new Set(holds.map(({ paymasterId }) => paymasterId))])) {
    accounts.set(row.of_paymaster, row.of_account);
    const { budget_id, account_id, name, max_usd_micros, span, created_at, updated_at } = row;
    if (budget_id === null || account_id === null || name === null || max_usd_micros === null || span === null)
      continue;
    if (created_at === null || updated_at === null) continue;
    const { paymaster_ids } = row;
    const stored = { budget_id, account_id, name, max_usd_micros, span, paymaster_ids, created_at, updated_at };
    budgets.set(budget_id, toStoredBudget(stored));
  }

  const covering = (paymasterId: string) =>
    [...budgets.values()].filter(
      ({ accountId, paymasterIds }) =>
        accountId === accounts.get(paymasterId) && (paymasterIds?.includes(paymasterId) ?? true),
    );
  const identity = ({ budgetId, window }: StoredBudget, createdAt: number) =>
    `${budgetId} ${windowStart(window, createdAt)}`;
  for (const { paymasterId, createdAt } of holds) {
    for (const budget of covering(paymasterId)) {
      if (counted.has(identity(budget, createdAt))) continue;
      const start = windowStart(budget.window, createdAt);
      counted.set(identity(budget, createdAt), { budget, start, used: await readWorth(db, { ...budget, start }) });
    }
  }
  return {
    accountOf: (paymasterId) => accounts.get(paymasterId),
    counts: (paymasterId, createdAt) =>
      covering(paymasterId).map((budget) => {
        const count = counted.get(identity(budget, createdAt));
        if (count === undefined) throw new Error('A budget was not counted before it was requested.');
        return count;
      }),
  };
}

/** Paymasters next to the budgets of their accounts, in the order of the names. */
async function readRows(db: Kysely<Database>, paymasterIds: readonly string[]) {
  if (paymasterIds.length === 0) return [];
  return db
    .selectFrom('paymasters')
    .leftJoin('budgets', 'budgets.account_id', 'paymasters.account_id')
    .select(['paymasters.paymaster_id as of_paymaster', 'paymasters.account_id as of_account'])
    .selectAll('budgets')
    .where('paymasters.paymaster_id', 'in', dialectOf(db).texts(paymasterIds))
    .orderBy('budgets.name')
    .execute();
}
