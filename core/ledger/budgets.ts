import type { Kysely, Selectable } from 'kysely';
import { divideUp } from '../base/values/integers.ts';
import type { BudgetWindow } from '../domain/budget.ts';
import { windowStart } from '../policies/limit-window.ts';
import { ruleOnBudget } from '../policies/rule-on-budget.ts';
import type { Ruling } from '../policies/rules/ruling.ts';
import { worthUsdMicros } from '../policies/worth-usd.ts';
import type { Database } from '../store/database.ts';
import { fixedStatement, type RowOf } from '../store/statements/fixed-statement.ts';
import { runTogether } from '../store/statements/run-together.ts';
import { type AccountName, accountsNamed, type LedgerAccounts, toLedgerAccounts } from './accounts/ledger-accounts.ts';
import { countedIn } from './accounts/legs.ts';
import { windowAccount } from './accounts/limit-accounts.ts';

/** A budget as it is stored, without how much of it has been used. */
type StoredBudget = {
  readonly budgetId: string;
  readonly accountId: string;
  /** Names its accounts: one for each window. */
  readonly limitId: number;
  readonly name: string;
  /** Millionths of a USD. */
  readonly maxUsdMicros: bigint;
  readonly window: BudgetWindow;
  /** The paymasters of the account that it is about; all of them when absent. */
  readonly paymasterIds?: readonly string[];
};

/** The budgets that concern some paymasters, as of the transaction that they were read in. */
export type Budgets = {
  /** The account of a paymaster; undefined when it has none. */
  accountOf(paymasterId: string): string | undefined;
  /** The budgets that count the holds of a paymaster. */
  of(paymasterId: string): readonly StoredBudget[];
};

/** Paymasters with the budgets of their accounts, in the order of the names. */
export const budgetsOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db
    .selectFrom('paymasters')
    .leftJoin('budgets', 'budgets.account_id', 'paymasters.account_id')
    .select(['paymasters.paymaster_id as of_paymaster', 'paymasters.account_id as of_account'])
    .select(['budget_id', 'budgets.account_id', 'budgets.name', 'max_usd_micros', 'span', 'paymaster_ids', 'limit_id'])
    .where('paymasters.paymaster_id', 'in', texts())
    .orderBy('budgets.name'),
);

/** The rows of {@link budgetsOf}. */
export function toBudgets(rows: readonly RowOf<typeof budgetsOf>[]): Budgets {
  const accounts = new Map<string, string>();
  const budgets = new Map<string, StoredBudget[]>();
  for (const row of rows) {
    const { of_paymaster, of_account, budget_id, account_id, name, max_usd_micros, span, paymaster_ids, limit_id } =
      row;
    accounts.set(of_paymaster, of_account);
    if (budget_id === null || account_id === null || name === null || max_usd_micros === null) continue;
    if (span === null || limit_id === null) continue;
    const budget = toStoredBudget({ budget_id, account_id, name, max_usd_micros, span, paymaster_ids, limit_id });
    if (budget.paymasterIds?.includes(of_paymaster) === false) continue;
    budgets.set(of_paymaster, [...(budgets.get(of_paymaster) ?? []), budget]);
  }
  return {
    accountOf: (paymasterId) => accounts.get(paymasterId),
    of: (paymasterId) => budgets.get(paymasterId) ?? [],
  };
}

/** Reads a row. */
export function toStoredBudget(row: Omit<Selectable<Database['budgets']>, 'created_at' | 'updated_at'>): StoredBudget {
  return {
    budgetId: row.budget_id,
    accountId: row.account_id,
    limitId: row.limit_id,
    name: row.name,
    maxUsdMicros: BigInt(row.max_usd_micros),
    window: row.span,
    ...(row.paymaster_ids === null ? {} : { paymasterIds: row.paymaster_ids.split(' ') }),
  };
}

/** The account in which a budget counts a hold that is made at `now` (Unix seconds). */
export function budgetAccount({ limitId, window }: StoredBudget, now: number): AccountName {
  return windowAccount(limitId, '', window, now);
}

/** The rulings of the account's budgets on a hold, up to and including the first refusal. */
export function decideBudgets(
  budgets: readonly StoredBudget[],
  asked: {
    readonly accounts: Pick<LedgerAccounts, 'find' | 'of'>;
    readonly live: Parameters<typeof countedIn>[0];
    readonly budgeted: Budgeted;
    readonly now: number;
  },
): readonly Ruling[] {
  const { accounts, live, budgeted, now } = asked;
  const rulings: Ruling[] = [];
  for (const budget of budgets) {
    const { name } = budgetAccount(budget, now);
    // A budget that has not counted the hold before counts all of it.
    const counted = countedIn(live, accounts.find(name)).amount;
    const { isPriced, budgetUsd } = budgeted;
    const added = isPriced && budgetUsd !== undefined ? budgetUsd - counted : undefined;
    const start = windowStart(budget.window, now);
    const ruling = ruleOnBudget({ budget, start, used: accounts.of(name).amount, asked: added });
    rulings.push(ruling);
    if (ruling.refusal !== undefined) break;
  }
  return rulings;
}

/** The budgets that count the holds of a paymaster. */
export async function readBudgets(db: Kysely<Database>, paymasterId: string): Promise<readonly StoredBudget[]> {
  const [rows] = await runTogether(db, budgetsOf([paymasterId]));
  return toBudgets(rows).of(paymasterId);
}

/** How much of a budget is used in its present window, in millionths of a USD. */
export async function readBudgetUse(db: Kysely<Database>, budget: StoredBudget, now: number): Promise<bigint> {
  const { name } = budgetAccount(budget, now);
  const [rows] = await runTogether(db, accountsNamed([name]));
  return toLedgerAccounts(rows, [name]).of(name).amount;
}

/** What budgets count of a hold with a request. */
export type Budgeted = {
  /** Millionths of a USD; undefined while it is not known. */
  readonly budgetUsd: bigint | undefined;
  /** Whether the new part was calculated with a price from the request's own time. */
  readonly isPriced: boolean;
};

/** What limits and budgets count of the hold that the request joins. */
type Joined = { readonly limitWei: bigint | undefined; readonly budgetUsd: bigint | undefined };

/**
 * More than any real operation is worth, in millionths of a USD: a price or an amount that is wrong. Sums stay exact
 * below it.
 */
const maxBudgetUsd = 10n ** 12n;

/**
 * What budgets count of the hold of a sponsored request when `more` wei join it: at this `price` of the request, or without one
 * at that of what it joins (see `CoinPrices`). One of which budgets count nothing yet is valued as a whole.
 */
export function budgetedWith(price: bigint | undefined, live: Joined | undefined, more: bigint): Budgeted {
  const before = live?.budgetUsd;
  if (more === 0n && before !== undefined) return { budgetUsd: before, isPriced: true };
  const limitWei = live?.limitWei ?? 0n;
  if (price === undefined) {
    if (before === undefined || limitWei === 0n) return { budgetUsd: undefined, isPriced: false };
    const added = divideUp(before * more, limitWei);
    return { budgetUsd: before + added, isPriced: false };
  }
  const added = worthUsdMicros(before === undefined ? limitWei + more : more, price);
  const budgetUsd = (before ?? 0n) + added;
  return budgetUsd > maxBudgetUsd ? { budgetUsd: before, isPriced: false } : { budgetUsd, isPriced: true };
}
