import { maxAuthTokenDays } from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { withAccount } from './register-management-commands.ts';
import { runCommand } from './terminal/run-command.ts';

/** Adds `token`: the authTokens of an account, for its holder. */
export function registerTokenCommands(program: Command): void {
  const load = () => import('./token-commands.ts');
  const token = program.command('token').description('create, list and revoke your own authTokens');
  withAccount(token.command('create <name>').description('create an authToken, print it once'))
    .option(
      '--expires-in-days <days>',
      `days until it expires, 1 to ${maxAuthTokenDays} (default: as the authToken in use)`,
    )
    .option('--scopes <scopes>', 'scopes, of read,manage,funds (default: those of the authToken in use)')
    .action((name, flags) => runCommand(async () => (await load()).createToken(name, flags)));
  withAccount(token.command('list').description('list the authTokens')).action((flags) =>
    runCommand(async () => (await load()).listTokens(flags)),
  );
  withAccount(
    token.command('revoke <authTokenId>').description('revoke an authToken and end the sessions that started with it'),
  ).action((authTokenId, flags) => runCommand(async () => (await load()).revokeToken(authTokenId, flags)));
}
