import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withJson } from '../../clients/cli/terminal/with-json.ts';
import { withSettings } from '../config/with-settings.ts';

/** Adds `status`, which asks the admin listener of a running service. */
export function registerStatusCommand(program: Command): void {
  withJson(
    withSettings(
      program
        .command('status')
        .description('show what is wrong with the service and how to fix it; exit code 1 if anything is'),
      [],
    ),
  )
    .option('--admin <address>', 'admin listener, host:port or a URL (default gateway.adminListen)')
    .action((flags) => runCommand(async () => (await import('./show-status.ts')).showStatus(flags)));
}
