import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withJson } from '../../clients/cli/terminal/with-json.ts';
import { databaseSettings } from '../config/settings.ts';
import { withSettings } from '../config/with-settings.ts';

/** Adds `treasury`, which reads the database and asks the nodes. */
export function registerTreasuryCommand(program: Command): void {
  const command = program.command('treasury').description('show what the hot wallets top up, and what they have sent');
  withJson(withSettings(command, databaseSettings)).action((flags) =>
    runCommand(async () => (await import('./show-treasury.ts')).showTreasury(flags)),
  );
}
