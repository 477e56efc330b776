import { type Kysely, type Selectable, sql } from 'kysely';
import type { BudgetWindow } from '../domain/budget.ts';
import { isSponsored, type PaidAs } from '../domain/user-share.ts';
import { windowEnd, windowStart } from '../policies/limit-window.ts';
import { ruleOnBudget } from '../policies/rule-on-budget.ts';
import type { Ruling } from '../policies/rules/ruling.ts';
import { worthUsdMicros } from '../policies/worth-usd.ts';
import type { Database } from '../store/database.ts';
import { fixedStatement, type RowOf } from '../store/statements/fixed-statement.ts';
import { runTogether } from '../store/statements/run-together.ts';
import { allPaymasters } from './sums/hold-legs.ts';

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
    const { budget_id, account_id, name, max_usd_micros, span, paymaster_ids } = row;
    if (budget_id === null || account_id === null || name === null || max_usd_micros === null || span === null)
      continue;
    budgets.set(budget_id, toStoredBudget({ budget_id, account_id, name, max_usd_micros, span, paymaster_ids }));
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

/** Whose worth is asked for: that of all the account's paymasters, or of some. */
type WorthOwner = { readonly accountId: string; readonly paymasterIds?: readonly string[] };

/** One window of some paymasters of an account. */
type WorthWindow = WorthOwner & { readonly window: BudgetWindow; readonly start: number };

/** The worth of what was held in one window and not released. */
export async function readWorth(db: Kysely<Database>, window: WorthWindow): Promise<bigint> {
  const [rows] = await runTogether(db, worthsOf([window]));
  return toWorths(rows).get(0) ?? 0n;
}

const askedColumns = {
  asked_number: 'number',
  account_id: 'text',
  paymaster_id: 'text',
  span: 'text',
  from_start: 'number',
  until_start: 'number',
} as const;
type AskedRow = {
  asked_number: number;
  account_id: string;
  paymaster_id: string;
  span: Database['worth_sums']['span'];
  from_start: number;
  until_start: number;
};

/** The worth of windows, each by its position; windows without any worth are missing. */
export const worthsOf = fixedStatement<readonly WorthWindow[]>()(({ db, rows }) =>
  db
    .selectFrom(rows<AskedRow>(askedColumns, (windows) => windows.flatMap(askedRows)).as('asked'))
    .innerJoin('worth_sums', (join) =>
      join
        .onRef('worth_sums.account_id', '=', 'asked.account_id')
        .onRef('worth_sums.paymaster_id', '=', 'asked.paymaster_id')
        .onRef('worth_sums.span', '=', 'asked.span')
        .onRef('worth_sums.span_start', '>=', 'asked.from_start')
        .onRef('worth_sums.span_start', '<', 'asked.until_start'),
    )
    .select(['asked.asked_number', sql<string>`CAST(sum(usd_micros) AS TEXT)`.as('worth')])
    .groupBy('asked.asked_number'),
);

function askedRows({ accountId, paymasterIds = [allPaymasters], window, start }: WorthWindow, index: number) {
  const span = window === 'ever' ? 'ever' : 'day';
  const until = windowEnd(window, start) ?? Number.MAX_SAFE_INTEGER;
  return [...new Set(paymasterIds)].map((paymasterId) => [index, accountId, paymasterId, span, start, until]);
}

/** By the position of the window. */
function toWorths(
  rows: readonly { readonly asked_number: number; readonly worth: string }[],
): ReadonlyMap<number, bigint> {
  return new Map(rows.map(({ asked_number, worth }) => [asked_number, BigInt(worth)]));
}

/** What a hold is worth with a request, in millionths of a USD, and how much of that is new. */
export type HoldWorth = {
  /** Undefined while it is not known. */
  readonly worth: bigint | undefined;
  readonly added: bigint;
  /** Whether the new part was calculated with a price from the request's own time. */
  readonly isCounted: boolean;
};

/** A request that joins a hold, and the price at that time: see `HoldRequest`. */
type Joining = PaidAs & { readonly seenUsdMicrosPerCoin?: bigint };

/** What limits and budgets count of the hold that the request joins. */
type Joined = { readonly counted: bigint | undefined; readonly worth: bigint | undefined };

/**
 * More than any real operation is worth, in millionths of a USD: a price or an amount that is wrong. Sums stay exact
 * below it.
 */
const maxWorth = 10n ** 12n;

/**
 * What the hold of a sponsored request is worth when `more` wei join it: at the price of the request, or without one
 * at that of what it joins. One without a worth yet is valued as a whole.
 */
export function worthWith(request: Joining, live: Joined | undefined, more: bigint): HoldWorth {
  const before = live?.worth;
  if (!isSponsored(request) || (more === 0n && before !== undefined)) {
    return { worth: before, added: 0n, isCounted: true };
  }
  const counted = live?.counted ?? 0n;
  const price = request.seenUsdMicrosPerCoin;
  if (price === undefined) {
    if (before === undefined || counted === 0n) return { worth: undefined, added: 0n, isCounted: false };
    const added = (before * more + counted - 1n) / counted;
    return { worth: before + added, added, isCounted: false };
  }
  const added = worthUsdMicros(before === undefined ? counted + more : more, price);
  const worth = (before ?? 0n) + added;
  return worth > maxWorth ? { worth: before, added: 0n, isCounted: false } : { worth, added, isCounted: true };
}
