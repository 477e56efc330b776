import type { Command } from 'commander';
import { runCommand } from '../../clients/cli/terminal/run-command.ts';
import { withJson } from '../../clients/cli/terminal/with-json.ts';
import { databaseSettings } from '../config/settings.ts';
import { withSettings } from '../config/with-settings.ts';

/** Adds `audit` and `audit log`, which read the database of the configuration. */
export function registerAuditCommand(program: Command): void {
  const audit = withJson(
    withSettings(
      program.command('audit').description('who can do what, highest risk first; changes nothing'),
      databaseSettings,
    ),
  );
  audit.action((flags) => runCommand(async () => (await import('./show-audit.ts')).showAudit(flags)));
  withJson(withSettings(audit.command('log').description('who changed what, newest first'), databaseSettings))
    .option('--account <accountId>', 'only this account')
    .option('--who <who>', 'session, auth-token, operator, visitor, peer, service, the id of a credential or a wallet')
    .option('--operation <operation>', 'the operation, such as setPolicy')
    .option('--object <id>', 'the id of the changed object, or of its paymaster')
    .option('--from <time>', 'start of the period: 2026-01-31, 2026-01-31T10:00:00Z or Unix seconds')
    .option('--until <time>', 'end of the period, which is not in it')
    .option('--limit <count>', 'entries, 1 to 200 (default 50)')
    .option('--cursor <cursor>', 'continue after the previous page')
    .action((_, command) =>
      // `audit` has some of the same options, and receives them first.
      runCommand(async () => (await import('./show-audit-log.ts')).showAuditLog(command.optsWithGlobals())),
    );
}
