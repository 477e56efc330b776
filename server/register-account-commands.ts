import type { Command } from 'commander';
import { runCommand } from '../clients/cli/terminal/run-command.ts';
import { withJson } from '../clients/cli/terminal/with-json.ts';
import { coreConnectionSettings, storeSettings } from './config/settings.ts';
import { withSettings } from './config/with-settings.ts';

/** Adds the operator's commands `account` and `auth-token`. */
export function registerAccountCommands(program: Command): void {
  const settings = [...storeSettings, ...coreConnectionSettings];
  const onAccounts = (command: Command) => withJson(withSettings(command, settings));
  const load = () => import('./commands/account.ts');
  const account = program.command('account').description('create, list and change accounts');
  onAccounts(account.command('create [name]').description('create an account, print its id'))
    .option('--wallet <address>', 'address of the wallet; it gets the account by signing in, and names it by default')
    .action((name, flags) => runCommand(async () => (await load()).createAccount(name, flags)));
  onAccounts(account.command('list').description('list the accounts')).action((flags) =>
    runCommand(async () => (await load()).listAccounts(flags)),
  );
  onAccounts(account.command('update <accountId>').description('change its owner, suspend it or open it again'))
    .option('--wallet <address>', 'address of the wallet; it becomes the owner, instead of the current one')
    .option('--active <yes|no>', 'whether it is active; no ends its sessions, and its authTokens are not accepted')
    .action((accountId, flags) => runCommand(async () => (await load()).updateAccount(accountId, flags)));

  const loadTokens = () => import('./commands/auth-token.ts');
  const authToken = program.command('auth-token').description('issue, list and revoke authTokens of an account');
  onAccounts(authToken.command('issue <accountId>').description('issue an authToken, print it once'))
    .option('--name <name>', 'name it is listed under (default cli)')
    .option('--expires-in-days <days>', 'days until it expires (default never)')
    .option('--scopes <scopes>', 'scopes, of read,manage,funds (default all)')
    .action((accountId, flags) => runCommand(async () => (await loadTokens()).createAuthToken(accountId, flags)));
  onAccounts(authToken.command('list <accountId>').description('list the authTokens')).action((accountId, flags) =>
    runCommand(async () => (await loadTokens()).listAuthTokens(accountId, flags)),
  );
  onAccounts(authToken.command('revoke <accountId> <authTokenId>').description('revoke an authToken')).action(
    (accountId, authTokenId, flags) =>
      runCommand(async () => (await loadTokens()).revokeAuthToken(accountId, authTokenId, flags)),
  );
}
