import type { Command } from 'commander';
import { databaseSettings } from '../config/settings.ts';
import { runCommand } from '../run-command.ts';
import { withJson, withSettings } from '../with-settings.ts';

/** Adds `audit`, which reads the database of the configuration. */
export function registerAuditCommand(program: Command): void {
  withJson(
    withSettings(
      program.command('audit').description('who can do what, the gravest first; changes nothing'),
      databaseSettings,
    ),
  ).action((flags) => runCommand(async () => (await import('./show-audit.ts')).showAudit(flags)));
}
