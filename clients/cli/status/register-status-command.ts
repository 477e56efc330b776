import type { Command } from 'commander';
import { runCommand } from '../run-command.ts';
import { withJson, withSettings } from '../with-settings.ts';

/** Adds `status`, which asks the admin listener of a running service. */
export function registerStatusCommand(program: Command): void {
  withJson(
    withSettings(
      program
        .command('status')
        .description('what is wrong with the service, and what mends it; exit code 1 when something is'),
      [],
    ),
  )
    .option('--admin <address>', 'admin listener, host:port or a URL (default gateway.adminListen)')
    .action((flags) => runCommand(async () => (await import('./show-status.ts')).showStatus(flags)));
}
