import type { Command } from 'commander';
import { runCommand } from '../clients/cli/terminal/run-command.ts';
import { withJson } from '../clients/cli/terminal/with-json.ts';
import { coreConnectionSettings, storeSettings } from './config/settings.ts';
import { withSettings } from './config/with-settings.ts';

/** Adds `account` and `auth-token`, which are the operator's. */
export function registerAccountCommands(program: Command): void {
  const settings = [...storeSettings, ...coreConnectionSettings];
  const onAccounts = (command: Command) => withJson(withSettings(command, settings));
  const load = () => import('./commands/account.ts');
  const account = program.command('account').description('create, invite, list and suspend accounts');
  onAccounts(account.command('create <name>').description('create an account, print its id')).action((name, flags) =>
    runCommand(async () => (await load()).createAccount(name, flags)),
  );
  onAccounts(account.command('list').description('list the accounts')).action((flags) =>
    runCommand(async () => (await load()).listAccounts(flags)),
  );
  onAccounts(account.command('invite').description('create an account that a wallet signs in to, print its id'))
    .requiredOption('--wallet <address>', 'address of the wallet')
    .option('--name <name>', 'name it is listed under (default the address)')
    .action((flags) => runCommand(async () => (await load()).inviteAccount(flags)));
  onAccounts(
    account.command('link-wallet <accountId>').description('make a wallet the owner, instead of the current one'),
  )
    .requiredOption('--wallet <address>', 'address of the wallet')
    .action((accountId, flags) => runCommand(async () => (await load()).linkWallet(accountId, flags)));
  onAccounts(
    account.command('suspend <accountId>').description('end its sessions, and no longer accept its authTokens'),
  ).action((accountId, flags) => runCommand(async () => (await load()).suspendAccount(accountId, flags)));
  onAccounts(account.command('resume <accountId>').description('open a suspended account again')).action(
    (accountId, flags) => runCommand(async () => (await load()).resumeAccount(accountId, flags)),
  );

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
