import type { Command } from 'commander';
import { withAccount } from '../register-management-commands.ts';
import { runCommand } from '../terminal/run-command.ts';

/** Adds `session`: the sessions of browsers that are signed in to an account, for its holder. */
export function registerSessionCommands(program: Command): void {
  const load = () => import('./session-commands.ts');
  const session = program.command('session').description('list and end browser sessions of your account');
  withAccount(session.command('list').description('list the sessions that have not ended')).action((flags) =>
    runCommand(async () => (await load()).listSessions(flags)),
  );
  withAccount(session.command('revoke [sessionId]').description('end a session, or all of them'))
    .option('--all', 'sign out everywhere')
    .action((sessionId, flags) => runCommand(async () => (await load()).revokeSessions(sessionId, flags)));
}
