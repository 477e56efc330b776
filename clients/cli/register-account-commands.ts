import type { Command } from 'commander';
import { coreConnectionSettings, coreSettings } from './config/settings.ts';
import { runCommand } from './run-command.ts';
import { withSettings } from './with-settings.ts';

/** Adds `account` and `auth-token`, which are the operator's. */
export function registerAccountCommands(program: Command): void {
  const settings = [...coreSettings.slice(0, 2), ...coreConnectionSettings];
  const load = () => import('./commands/account.ts');
  const account = program.command('account').description('create, invite, list and suspend accounts');
  withSettings(account.command('create <name>').description('create an account, print its id'), settings).action(
    (name, flags) => runCommand(async () => (await load()).createAccount(name, flags)),
  );
  withSettings(account.command('list').description('list the accounts'), settings).action((flags) =>
    runCommand(async () => (await load()).listAccounts(flags)),
  );
  withSettings(
    account.command('invite').description('make an account that a wallet signs in to, print its id'),
    settings,
  )
    .requiredOption('--wallet <address>', 'address of the wallet')
    .option('--name <name>', 'name it is listed under (default the address)')
    .action((flags) => runCommand(async () => (await load()).inviteAccount(flags)));
  withSettings(
    account.command('link-wallet <accountId>').description('let a wallet sign in, in the place of the one before'),
    settings,
  )
    .requiredOption('--wallet <address>', 'address of the wallet')
    .action((accountId, flags) => runCommand(async () => (await load()).linkWallet(accountId, flags)));
  withSettings(
    account.command('suspend <accountId>').description('end its sessions, and no longer accept its authTokens'),
    settings,
  ).action((accountId, flags) => runCommand(async () => (await load()).suspendAccount(accountId, flags)));
  withSettings(account.command('resume <accountId>').description('open a suspended account again'), settings).action(
    (accountId, flags) => runCommand(async () => (await load()).resumeAccount(accountId, flags)),
  );

  const loadTokens = () => import('./commands/auth-token.ts');
  const authToken = program.command('auth-token').description('issue, list and revoke authTokens of an account');
  withSettings(authToken.command('issue <accountId>').description('issue an authToken, print it once'), settings)
    .option('--name <name>', 'name it is listed under (default cli)')
    .option('--expires-in-days <days>', 'days until it expires (default never)')
    .action((accountId, flags) => runCommand(async () => (await loadTokens()).issueAuthToken(accountId, flags)));
  withSettings(authToken.command('list <accountId>').description('list the authTokens'), settings).action(
    (accountId, flags) => runCommand(async () => (await loadTokens()).listAuthTokens(accountId, flags)),
  );
  withSettings(
    authToken.command('revoke <accountId> <authTokenId>').description('revoke an authToken'),
    settings,
  ).action((accountId, authTokenId, flags) =>
    runCommand(async () => (await loadTokens()).revokeAuthToken(accountId, authTokenId, flags)),
  );
}
