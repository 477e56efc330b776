import { type BudgetItem, budgetWindows } from '@tollfree/contract/budget';
import type { ManagementClient } from '@tollfree/sdk/management';
import { findPaymaster, openManagement } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, requiredFlag, textFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printLine, printRows } from './terminal/print-answer.ts';

export async function listBudgets(flags: Flags): Promise<void> {
  const budgets = await openManagement(flags).client.listBudgets();
  printAnswer(flags, budgets, () =>
    printRows(budgets.map(budgetRow), 'There is no budget; only each paymaster’s own limits apply.'),
  );
}

export async function createBudget(name: string, flags: Flags): Promise<void> {
  const maxUsd = requiredFlag(flags, 'max');
  const window = readWindow(requiredFlag(flags, 'window'));
  const { client } = openManagement(flags);
  const paymasterIds = await readPaymasters(client, textFlag(flags, 'paymasters'));
  const budget = await client.createBudget({ name, maxUsd, window, paymasterIds });
  printAnswer(flags, budget, () => printRows([budgetRow(budget)]));
}

/** `tollfree budget set`: settings without a flag stay unchanged. */
export async function changeBudget(budgetId: string, flags: Flags): Promise<void> {
  const given = textFlag(flags, 'paymasters');
  const isForAll = flags.allPaymasters === true;
  if (isForAll && given !== undefined) throw mistake('Give either --paymasters or --all-paymasters.');
  const window = textFlag(flags, 'window');
  const { client } = openManagement(flags);
  const before = (await client.listBudgets()).find((budget) => budget.budgetId === budgetId);
  if (before === undefined) throw mistake(`There is no budget ${budgetId}. tollfree budget list shows them.`);
  const ids = await readPaymasters(client, given);
  const budget = await client.replaceBudget({
    etag: before.etag,
    budgetId,
    name: textFlag(flags, 'name') ?? before.name,
    maxUsd: textFlag(flags, 'max') ?? before.maxUsd,
    window: window === undefined ? before.window : readWindow(window),
    paymasterIds: isForAll ? undefined : (ids ?? before.paymasterIds),
  });
  printAnswer(flags, budget, () => printRows([budgetRow(budget)]));
}

export async function deleteBudget(budgetId: string, flags: Flags): Promise<void> {
  await openManagement(flags).client.deleteBudget({ budgetId });
  printAnswer(flags, { budgetId }, () => printLine(`deleted ${budgetId}`));
}

function budgetRow({ budgetId, name, maxUsd, usedUsd, window, until, paymasterIds }: BudgetItem) {
  return {
    'budget id': budgetId,
    name,
    used: `${usedUsd} of ${maxUsd} USD`,
    window: until === undefined ? window.toLowerCase() : `${window.toLowerCase()}, until ${formatTime(until)}`,
    paymasters: paymasterIds?.join(', ') ?? 'all',
  };
}

function readWindow(text: string): BudgetItem['window'] {
  const window = budgetWindows.find((one) => one === text.toUpperCase());
  if (window === undefined) throw mistake('--window must be day, week, month or ever.');
  return window;
}

/** The ids of paymasters that are named by name or id, comma-separated. */
async function readPaymasters(
  client: ManagementClient,
  text: string | undefined,
): Promise<readonly string[] | undefined> {
  if (text === undefined) return undefined;
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return Promise.all(names.map(async (name) => (await findPaymaster(client, name)).paymasterId));
}
