import { randomUUID } from 'node:crypto';
import { maxBudgetPaymasters, maxBudgets } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import { type Budget, type BudgetTerms, type BudgetWindow, budgetWindows } from '../domain/budget.ts';
import type { Core, Input } from '../domain/core.ts';
import { amountBounds } from '../domain/policy.ts';
import { accept, checkName, invalidField, type Result, refuse } from '../domain/result/result.ts';
import { endNumbers, takeLimitNumber } from '../ledger/accounts/limit-numbers.ts';
import { readBudgetUse, toStoredBudget } from '../ledger/budgets.ts';
import { windowEnd, windowStart } from '../policies/limit-window.ts';
import type { Database } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import { factsOf } from './audit-log/facts.ts';
import { etagOf } from './audit-log/object-versions.ts';

type Parts = { readonly store: Store; readonly clock: Clock };
type BudgetRow = Selectable<Database['budgets']>;

const notFound = refuse({ reason: 'BUDGET_NOT_FOUND', message: 'Budget not found' });
const accountNotFound = refuse({ reason: 'ACCOUNT_NOT_FOUND', message: 'Account not found' });
const nameExists = refuse({ reason: 'BUDGET_NAME_EXISTS', message: 'Budget name already exists' });
const tooMany = refuse({ reason: 'TOO_MANY_BUDGETS', message: `An account can have at most ${maxBudgets} budgets` });

/**
 * The operations of `Core` on an account's budgets. Holds read budgets in their own transaction, so changes need no
 * notification.
 */
export function manageBudgets(
  parts: Parts,
): Pick<Core, 'listBudgets' | 'createBudget' | 'replaceBudget' | 'deleteBudget'> {
  return {
    listBudgets: (input) => listBudgets(parts, input),
    createBudget: (input) => createBudget(parts, input),
    replaceBudget: (input) => replaceBudget(parts, input),
    deleteBudget: (input) => deleteBudget(parts, input),
  };
}

async function listBudgets(
  { store, clock }: Parts,
  { accountId }: Input<'listBudgets'>,
): Promise<Result<readonly Budget[]>> {
  const rows = await store.db
    .selectFrom('budgets')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();
  const budgets: Budget[] = [];
  for (const row of rows) budgets.push(await toBudget(store.db, row, unixSeconds(clock)));
  return accept(budgets);
}

async function createBudget(
  { store, clock }: Parts,
  { accountId, terms }: Input<'createBudget'>,
): Promise<Result<Budget>> {
  const checked = checkBudget(terms);
  if (!checked.ok) return checked;
  return store.transaction(async (trx) => {
    const account = trx.selectFrom('accounts').select('account_id').where('account_id', '=', accountId);
    if ((await account.executeTakeFirst()) === undefined) return accountNotFound;
    const others = await trx.selectFrom('budgets').select('name').where('account_id', '=', accountId).execute();
    if (others.length >= maxBudgets) return tooMany;
    if (others.some(({ name }) => name === terms.name)) return nameExists;
    const own = await checkOwn(trx, accountId, checked.value);
    if (!own.ok) return own;
    const now = unixSeconds(clock);
    const row = await trx
      .insertInto('budgets')
      .values({
        budget_id: randomUUID(),
        account_id: accountId,
        limit_id: await takeLimitNumber(trx),
        ...columnsOf(checked.value),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return accept(await toBudget(trx, row, now));
  });
}

async function replaceBudget(
  { store, clock }: Parts,
  { accountId, budgetId, terms }: Input<'replaceBudget'>,
): Promise<Result<Budget>> {
  const checked = checkBudget(terms);
  if (!checked.ok) return checked;
  return store.transaction(async (trx) => {
    const budgets = await trx
      .selectFrom('budgets')
      .select(['budget_id', 'name', 'limit_id', 'span', 'paymaster_ids'])
      .where('account_id', '=', accountId)
      .execute();
    const before = budgets.find(({ budget_id }) => budget_id === budgetId);
    if (before === undefined) return notFound;
    if (budgets.some(({ budget_id, name }) => budget_id !== budgetId && name === terms.name)) return nameExists;
    const own = await checkOwn(trx, accountId, checked.value);
    if (!own.ok) return own;
    const now = unixSeconds(clock);
    const row = await trx
      .updateTable('budgets')
      .set({ ...columnsOf(checked.value), limit_id: await numberOf(trx, before, checked.value), updated_at: now })
      .where('account_id', '=', accountId)
      .where('budget_id', '=', budgetId)
      .returningAll()
      .executeTakeFirstOrThrow();
    return accept(await toBudget(trx, row, now));
  });
}

async function deleteBudget(
  { store, clock }: Parts,
  { accountId, budgetId }: Input<'deleteBudget'>,
): Promise<Result<Budget>> {
  return store.transaction(async (trx) => {
    const row = await trx
      .deleteFrom('budgets')
      .where('account_id', '=', accountId)
      .where('budget_id', '=', budgetId)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return notFound;
    const budget = await toBudget(trx, row, unixSeconds(clock));
    await endNumbers(trx, [row.limit_id]);
    return accept(budget);
  });
}

/** A budget that is about the same windows and paymasters goes on counting; any other begins at zero. */
async function numberOf(
  trx: Transaction<Database>,
  before: Pick<BudgetRow, 'limit_id' | 'span' | 'paymaster_ids'>,
  terms: CheckedTerms,
): Promise<number> {
  const { span, paymaster_ids } = columnsOf(terms);
  if (before.span === span && before.paymaster_ids === paymaster_ids) return before.limit_id;
  await endNumbers(trx, [before.limit_id]);
  return takeLimitNumber(trx);
}

/** Another account's paymaster is treated like one that does not exist. */
async function checkOwn(
  trx: Transaction<Database>,
  accountId: string,
  { paymasterIds }: CheckedTerms,
): Promise<Result<undefined>> {
  if (paymasterIds === undefined) return accept(undefined);
  const own = await trx
    .selectFrom('paymasters')
    .select('paymaster_id')
    .where('account_id', '=', accountId)
    .where('paymaster_id', 'in', paymasterIds)
    .execute();
  const known = new Set(own.map(({ paymaster_id }) => paymaster_id));
  const index = paymasterIds.findIndex((id) => !known.has(id));
  return index === -1 ? accept(undefined) : invalidField('paymasterIds', 'must name paymasters of the account');
}

function columnsOf({ name, maxUsdMicros, window, paymasterIds }: CheckedTerms) {
  return {
    name,
    max_usd_micros: Number(maxUsdMicros),
    span: window,
    paymaster_ids: paymasterIds?.join(' ') ?? null,
  };
}

async function toBudget(db: Kysely<Database>, row: BudgetRow, now: number): Promise<Budget> {
  const stored = toStoredBudget(row);
  const { accountId: _, limitId: __, ...budget } = stored;
  const start = windowStart(budget.window, now);
  return {
    ...budget,
    usedUsdMicros: await readBudgetUse(db, stored, now),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    etag: etagOf('budget', factsOf(row, 'limit_id')),
    ...omitAbsent({ until: windowEnd(budget.window, start) }),
  };
}

/** Valid settings, except that ownership of the paymasters is unchecked. */
type CheckedTerms = BudgetTerms & { readonly window: BudgetWindow };

/** The settings of a budget, with each paymaster only once. */
function checkBudget({ name, maxUsdMicros, window: given, paymasterIds: ids }: BudgetTerms): Result<CheckedTerms> {
  const named = checkName(name);
  if (!named.ok) return named;
  const { max, error } = amountBounds.usdMicros;
  if (maxUsdMicros < 0n || maxUsdMicros > max) return invalidField('maxUsd', error);
  const window = budgetWindows.find((one) => one === given);
  if (window === undefined) return invalidField('window', `must be one of ${budgetWindows.join(', ')}`);
  const paymasterIds = ids === undefined ? undefined : [...new Set(ids)];
  if (paymasterIds !== undefined && (paymasterIds.length === 0 || paymasterIds.length > maxBudgetPaymasters)) {
    return invalidField('paymasterIds', `must hold 1 to ${maxBudgetPaymasters} items`);
  }
  return accept({ name, maxUsdMicros, window, ...omitAbsent({ paymasterIds }) });
}
