import type { Command } from 'commander';
import { coreSettings } from '../config/settings.ts';
import { runCommand } from '../run-command.ts';
import { withJson, withSettings } from '../with-settings.ts';

/** Adds `audit`, which reads the database of the configuration. */
export function registerAuditCommand(program: Command): void {
  withJson(
    withSettings(
      program.command('audit').description('who can do what, the gravest first; changes nothing'),
      coreSettings.slice(0, 1),
    ),
  ).action((flags) => runCommand(async () => (await import('./show-audit.ts')).showAudit(flags)));
}
