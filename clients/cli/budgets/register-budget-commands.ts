import type { Command } from 'commander';
import { withAccount } from '../register-management-commands.ts';
import { runCommand } from '../terminal/run-command.ts';

/** Adds `budget`: what the account's paymasters may sponsor together, in USD. */
export function registerBudgetCommands(program: Command): void {
  const load = () => import('./budget-commands.ts');
  const max = ['--max <usd>', 'the most in each window, in USD: 250.00'] as const;
  const window = ['--window <window>', 'day, week, month or ever'] as const;
  const paymasters = [
    '--paymasters <ids>',
    'the paymasters that share it, comma-separated; else all of the account',
  ] as const;
  const budget = program.command('budget').description('limit what your paymasters sponsor together, in USD');
  withAccount(budget.command('list').description('list the budgets with their usage')).action((flags) =>
    runCommand(async () => (await load()).listBudgets(flags)),
  );
  withAccount(budget.command('create <name>').description('create a budget'))
    .requiredOption(...max)
    .requiredOption(...window)
    .option(...paymasters)
    .action((name, flags) => runCommand(async () => (await load()).createBudget(name, flags)));
  withAccount(budget.command('set <budgetId>').description('change a budget; its usage stays'))
    .option('--name <name>', 'name it is listed under')
    .option(...max)
    .option(...window)
    .option(...paymasters)
    .option('--all-paymasters', 'all of the account share it')
    .action((budgetId, flags) => runCommand(async () => (await load()).changeBudget(budgetId, flags)));
  withAccount(budget.command('delete <budgetId>').description('delete a budget')).action((budgetId, flags) =>
    runCommand(async () => (await load()).deleteBudget(budgetId, flags)),
  );
}
