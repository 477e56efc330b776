import type { Selectable } from 'kysely';
import type { BudgetWindow } from '../../domain/budget.ts';
import type { Database } from '../../store/database.ts';
import type { WorthOwner } from './worth-sums.ts';

/** A budget as it is stored, without how much of it has been used. */
export type StoredBudget = WorthOwner & {
  readonly budgetId: string;
  readonly name: string;
  /** Millionths of a USD. */
  readonly maxUsdMicros: bigint;
  readonly window: BudgetWindow;
};

/** Reads a row. */
export function toStoredBudget(row: Omit<Selectable<Database['budgets']>, 'created_at' | 'updated_at'>): StoredBudget {
  return {
    budgetId: row.budget_id,
    accountId: row.account_id,
    name: row.name,
    maxUsdMicros: BigInt(row.max_usd_micros),
    window: row.span,
    ...(row.paymaster_ids === null ? {} : { paymasterIds: row.paymaster_ids.split(' ') }),
  };
}
