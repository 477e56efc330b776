import type { Kysely, Selectable } from 'kysely';
import type { BudgetWindow } from '../../domain/budget.ts';
import { windowStart } from '../../policies/limit-window.ts';
import { ruleOnBudget } from '../../policies/rule-on-budget.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { type HoldWorth, toWorths, type WorthOwner, type WorthWindow, worthsOf } from './worth-sums.ts';

/** The rulings of the account's budgets on a hold, up to and including the first refusal. */
export function decideBudgets(
  counts: readonly BudgetCount[],
  { added, isCounted }: Pick<HoldWorth, 'added' | 'isCounted'>,
): readonly Ruling[] {
  const rulings: Ruling[] = [];
  for (const count of counts) {
    const ruling = ruleOnBudget({ ...count, asked: isCounted ? added : undefined });
    rulings.push(ruling);
    if (ruling.refusal !== undefined) break;
  }
  return rulings;
}

/**
 * A budget, and how much of it is used in one window, in millionths of a USD, including what has been decided since it was
 * read.
 */
type BudgetCount = { readonly budget: StoredBudget; readonly start: number; used: bigint };

/** The budgets that concern some holds, as of the transaction that it was read in. */
export type BudgetWorkingSet = {
  /** The account of a paymaster; undefined when it has none. */
  accountOf(paymasterId: string): string | undefined;
  /** The budgets that count a hold of a paymaster made at `createdAt` (Unix seconds). */
  counts(paymasterId: string, createdAt: number): readonly BudgetCount[];
};

/** A hold that may count in budgets; made at `createdAt` (Unix seconds). */
type BudgetedHold = { readonly paymasterId: string; readonly createdAt: number };

/** Reads the budgets that holds of paymasters, made at certain times, count in. */
export async function readBudgetWorkingSet(
  db: Kysely<Database>,
  holds: readonly BudgetedHold[],
): Promise<BudgetWorkingSet> {
  const [rows] = await runTogether(db, budgetsOf(holds.map(({ paymasterId }) => paymasterId)));
  const { windows, workingSet } = planBudgets(rows, holds);
  const [worths] = await runTogether(db, worthsOf(windows));
  return workingSet(worths);
}

/** Paymasters with the budgets of their accounts, in the order of the names. */
export const budgetsOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db
    .selectFrom('paymasters')
    .leftJoin('budgets', 'budgets.account_id', 'paymasters.account_id')
    .select(['paymasters.paymaster_id as of_paymaster', 'paymasters.account_id as of_account'])
    .select(['budget_id', 'budgets.account_id', 'budgets.name', 'max_usd_micros', 'span', 'paymaster_ids'])
    .select(['budgets.created_at', 'budgets.updated_at'])
    .where('paymasters.paymaster_id', 'in', texts())
    .orderBy('budgets.name'),
);

type BudgetRow = RowOf<typeof budgetsOf>;

/** Which windows count the holds, each once even when several share it; and the working set, once their worth is read. */
export function planBudgets(
  rows: readonly BudgetRow[],
  holds: readonly BudgetedHold[],
): {
  readonly windows: readonly WorthWindow[];
  workingSet(worths: Parameters<typeof toWorths>[0]): BudgetWorkingSet;
} {
  const accounts = new Map<string, string>();
  const budgets = new Map<string, StoredBudget>();
  for (const row of rows) {
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
  const asked = new Map<string, StoredBudget & WorthWindow>();
  for (const { paymasterId, createdAt } of holds) {
    for (const budget of covering(paymasterId)) {
      asked.set(identity(budget, createdAt), { ...budget, start: windowStart(budget.window, createdAt) });
    }
  }
  return {
    windows: [...asked.values()],
    workingSet: (worths) => {
      const used = toWorths(worths);
      const counted = new Map<string, BudgetCount>();
      for (const [index, [name, { start, ...budget }]] of [...asked].entries()) {
        counted.set(name, { budget, start, used: used.get(index) ?? 0n });
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
    },
  };
}

/** A budget as it is stored, without how much of it has been used. */
type StoredBudget = WorthOwner & {
  readonly budgetId: string;
  readonly name: string;
  /** Millionths of a USD. */
  readonly maxUsdMicros: bigint;
  readonly window: BudgetWindow;
};

/** Reads a row. */
export function toStoredBudget(row: Selectable<Database['budgets']>): StoredBudget {
  return {
    budgetId: row.budget_id,
    accountId: row.account_id,
    name: row.name,
    maxUsdMicros: BigInt(row.max_usd_micros),
    window: row.span,
    ...(row.paymaster_ids === null ? {} : { paymasterIds: row.paymaster_ids.split(' ') }),
  };
}
