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
import { commandOf, runCommand } from '../clients/cli/terminal/run-command.ts';
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
  const loadArchive = () => import('./ledger-archive/archive-ledger.ts');
  const ledger = program.command('ledger').description('compare the ledger with the chain, list and release holds');
  onCore(ledger.command('check').description('every paymaster contract; exit code 1 when something does not add up'))
    .option('--all-rows', 'add up all rows, not only those since the last check, at most a day ago')
    .action(commandOf(loadLedger, 'checkLedger'));

  onCore(ledger.command('rewind').description('roll the ledger of a chain back to a block and read what follows again'))
    .requiredOption('--chain <chain>', 'chain, by its id or a name like base')
    .requiredOption('--block <number>', 'the last block that stays in the ledger')
    .action(commandOf(loadLedger, 'rewindLedger'));

  onCore(ledger.command('archive').description('move what old operations have left out of the ledger; its sums stay'))
    .requiredOption('--older-than <days>', `what is older than so many days, like 90d; at least ${minArchiveDays}d`)
    .option('--out <file>', 'where to write it: the rows are added to this file (default: only their sums are kept)')
    .action(commandOf(loadArchive, 'archiveLedger'));
  withJson(ledger.command('read-archive <file>').description('check a file that `ledger archive` wrote'))
    .option('--rows', 'print its rows, JSON, one a line')
    .action(commandOf(loadArchive, 'showArchive'));

  const resume = ledger
    .command('resume')
    .description('sign again after a failover that lost data, if the ledger adds up');
  withJson(withSettings(resume, [...coreConnectionSettings, ...databaseSettings]))
    .option('--accept-lost-holds', 'accept that signatures which lost their hold may still land')
    .action(commandOf(loadLedger, 'resumeLedger'));

  onCore(ledger.command('holds').description('list the holds of a chain, oldest first'))
    .requiredOption('--chain <chain>', 'chain, by its id or a name like base')
    .option('--sender <address>', 'only those of this sender')
    .option('--after <hold>', 'continue after this hold')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`)
    .action(commandOf(loadLedger, 'listHolds'));

  onCore(ledger.command('release').description('release a hold under which nothing can land any more'))
    .requiredOption('--chain <chain>', 'chain, by its id or a name like base')
    .requiredOption('--hold <number>', 'which hold; `tollfree ledger holds` lists them')
    .requiredOption('--reason <text>', 'the reason, stored in the ledger')
    .action(commandOf(loadLedger, 'releaseHold'));
}

/** Adds `tank`: reading uses the management API, corrections use the core. */
export function registerTankCommands(program: Command): void {
  const loadTank = () => import('./tank/tank-commands.ts');
  const onTank = (command: Command) =>
    withSettings(withApiKey(command), coreConnectionSettings).option(
      '--paymaster-id <id>',
      'paymaster to act on (default: that of the apiKey; for the operator the only one)',
    );
  const tank = program.command('tank').description("show and correct a paymaster's gas tank");
  onTank(tank.command('show', { isDefault: true }).description('show the balance')).action(
    commandOf(loadTank, 'showTank'),
  );
  onTank(tank.command('entries').description('list the entries, newest first'))
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`)
    .action(commandOf(loadTank, 'listTankEntries'));
  onTank(tank.command('statement').description('show deposits and costs of a month, in wei and in USD'))
    .option('--month <month>', 'such as 2026-01, UTC (default: the current one)')
    .option('--days', 'show the balance and spending of each day instead')
    .option(
      '--from <day>',
      `start of the period: its first UTC day (default: ${defaultUsageDays} days in all, ${maxUsageDays} at most)`,
    )
    .option('--until <day>', 'end of the period: its last UTC day (default: today)')
    .action(commandOf(loadTank, 'showStatement'));
  // Not the domain's list: it would load the schemas before any command runs.
  for (const kind of ['credit', 'debit'] as const satisfies readonly TankAdjustmentKind[]) {
    const description = `${kind} a tank by hand; amounts like "0.05 ether"`;
    onCore(tank.command(`${kind} <paymasterId> <amount>`).description(description))
      .requiredOption('--reason <text>', 'the reason, stored in the ledger')
      .option('--for <txHash>', forOptions[kind])
      .option('--relay', 'the tank that pays for relayed operations')
      .action((paymasterId, amount, flags) =>
        runCommand(async () => (await loadLedger()).adjustTank({ kind, paymasterId, amount }, flags)),
      );
  }
}
