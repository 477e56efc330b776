import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withJson } from '../../clients/cli/terminal/with-json.ts';
import { databaseSettings } from '../config/settings.ts';
import { withSettings } from '../config/with-settings.ts';

/** Adds `backup` and `restore`, which work on the database of the configuration, and `migrate`, which moves one. */
export function registerBackupCommands(program: Command): void {
  const onDatabase = (command: Command) => withJson(withSettings(command, databaseSettings));
  onDatabase(program.command('backup').description('copy the database while the service runs, and check the copy'))
    .requiredOption('--out <file>', 'where to write it; an existing file is never overwritten')
    .action((flags) => runCommand(async () => (await import('./back-up.ts')).backUp(flags)));
  onDatabase(
    program
      .command('restore <file>')
      .description('replace the database with a copy in a file, and move the old one aside; the service must not run'),
  ).action((file, flags) => runCommand(async () => (await import('./restore.ts')).restore(file, flags)));
  withJson(
    program.command('migrate').description('move a stopped installation from its SQLite file to a PostgreSQL server'),
  )
    .requiredOption(
      '--from <sqlite:file>',
      'the file, like sqlite:data/tollfree.db; no service starts with it afterwards',
    )
    .option('--to <url>', 'a database without any tables, like postgres://user@host/name')
    .option('--to-password-file <file>', 'file of mode 0600 with its password, or /dev/stdin; else PGPASSFILE is read')
    .option('--undo', 'let services start with the file again, once none uses the other database')
    .action((flags) => runCommand(async () => (await import('./move-database.ts')).moveDatabase(flags)));
}
