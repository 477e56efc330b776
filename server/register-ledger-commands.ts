import {
  defaultPageSize,
  defaultUsageDays,
  maxPageSize,
  maxUsageDays,
  minArchiveDays,
} from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { withApiKey } from '../clients/cli/register-management-commands.ts';
import { withJson } from '../clients/cli/terminal/print-answer.ts';
import { commandsOf, runCommand } from '../clients/cli/terminal/run-command.ts';
import type { TankAdjustmentKind } from '../core/domain/gas-tank.ts';
import { coreConnectionSettings, databaseSettings, withSettings } from './config/settings.ts';

const forOptions: Readonly<Record<TankAdjustmentKind, string>> = {
  credit: 'transaction it is about: that of the unmatched deposit',
  debit: 'transaction it is about: that of the credit it reverses',
};

const loadLedger = () => import('./commands/ledger.ts');
const onCore = (command: Command) => withJson(withSettings(command, coreConnectionSettings));

/** Adds `ledger`, the operator's view of the ledger through a running core. */
export function registerLedgerCommands(program: Command): void {
  const chain = ['--chain <chain>', 'chain, by its id or a name like base'] as const;
  const loadArchive = () => import('./ledger-archive/archive-ledger.ts');
  const ledger = program.command('ledger').description('compare the ledger with the chain, list and release holds');
  const add = commandsOf(ledger, loadLedger, onCore);
  add('check', 'every paymaster contract; exit code 1 when something does not add up', 'checkLedger').option(
    '--all-rows',
    'add up all rows, not only those since the last check, at most a day ago',
  );
  add('revert', 'roll the ledger of a chain back to a block and read what follows again', 'revertLedger')
    .requiredOption(...chain)
    .requiredOption('--block <number>', 'the last block that stays in the ledger');
  commandsOf(ledger, loadArchive, onCore)(
    'archive',
    'move what old operations have left out of the ledger; its sums stay',
    'archiveLedger',
  )
    .requiredOption('--older-than <days>', `what is older than so many days, like 90d; at least ${minArchiveDays}d`)
    .option('--out <file>', 'where to write it: the rows are added to this file (default: only their sums are kept)');
  commandsOf(ledger, loadArchive, withJson)(
    'read-archive <file>',
    'check a file that `ledger archive` wrote',
    'showArchive',
  ).option('--rows', 'print its rows, JSON, one a line');
  const resumeSettings = [...coreConnectionSettings, ...databaseSettings];
  commandsOf(ledger, loadLedger, (command) => withJson(withSettings(command, resumeSettings)))(
    'resume',
    'sign again after a failover that lost data, if the ledger adds up',
    'resumeLedger',
  ).option('--accept-lost-holds', 'accept that signatures which lost their hold may still land');
  add('holds', 'list the holds of a chain, oldest first', 'listHolds')
    .requiredOption(...chain)
    .option('--sender <address>', 'only those of this sender')
    .option('--after <hold>', 'continue after this hold')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`);
  add('release', 'release a hold under which nothing can land any more', 'releaseHold')
    .requiredOption(...chain)
    .requiredOption('--hold <number>', 'which hold; `tollfree ledger holds` lists them')
    .requiredOption('--reason <text>', 'the reason, stored in the ledger');
}

/** Adds `tank`: reading uses the management API, corrections use the core. */
export function registerTankCommands(program: Command): void {
  const tank = program.command('tank').description("show and correct a paymaster's gas tank");
  const add = commandsOf(
    tank,
    () => import('./tank/tank-commands.ts'),
    (command) => withSettings(withApiKey(command), coreConnectionSettings),
  );
  add('show', 'show the balance', 'showTank', { isDefault: true });
  add('entries', 'list the entries, newest first', 'listTankEntries')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`);
  add('statement', 'show deposits and costs of a month, in wei and in USD', 'showStatement')
    .option('--month <month>', 'such as 2026-01, UTC (default: the current one)')
    .option('--by-day', 'show the balance and spending of each day instead')
    .option(
      '--from <day>',
      `start of the period: its first UTC day (default: ${defaultUsageDays} days in all, ${maxUsageDays} at most)`,
    )
    .option('--until <day>', 'end of the period: its last UTC day (default: today)');
  // Not the domain's list: it would load the schemas before any command runs.
  for (const kind of ['credit', 'debit'] as const satisfies readonly TankAdjustmentKind[]) {
    const description = `${kind} a tank by hand; amounts like "0.05 ether"`;
    onCore(tank.command(`${kind} <amount>`).description(description))
      .option('--paymaster <name|id>', "paymaster to act on; default: the service's only one")
      .requiredOption('--reason <text>', 'the reason, stored in the ledger')
      .option('--for <txHash>', forOptions[kind])
      .option('--relay', 'the tank that pays for relayed operations')
      .action((amount, flags) => runCommand(async () => (await loadLedger()).adjustTank({ kind, amount }, flags)));
  }
}
