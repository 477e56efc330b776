import type { Command } from 'commander';
import { withJson } from '../clients/cli/terminal/print-answer.ts';
import { commandsOf, runCommand } from '../clients/cli/terminal/run-command.ts';
import {
  coreConnectionSettings,
  coreSettings,
  databaseSettings,
  gatewaySettings,
  storeSettings,
  withSettings,
} from './config/settings.ts';
import { withChain, withPayer } from './paymaster-contract/with-chain-flags.ts';

/** Adds the operator's commands `account` and `auth-token`. */
export function registerAccountCommands(program: Command): void {
  const settings = [...storeSettings, ...coreConnectionSettings];
  const onAccounts = (command: Command) => withJson(withSettings(command, settings));
  const load = () => import('./commands/account.ts');
  const account = program.command('account').description('create, list and change accounts');
  const add = commandsOf(account, load, onAccounts);
  add('create [name]', 'create an account, print its id', 'createAccount').option(
    '--wallet <address>',
    'address of the wallet; it gets the account by signing in, and names it by default',
  );
  add('list', 'list the accounts', 'listAccounts');
  add('update <accountId>', 'change its owner, suspend it or open it again', 'updateAccount')
    .option('--wallet <address>', 'address of the wallet; it becomes the owner, instead of the current one')
    .option('--active <yes|no>', 'whether it is active; no ends its sessions, and its authTokens are not accepted');

  const authToken = program.command('auth-token').description('issue, list and revoke authTokens of an account');
  const addForToken = commandsOf(authToken, load, onAccounts);
  addForToken('issue <accountId>', 'issue an authToken, print it once', 'createAuthToken')
    .option('--name <name>', 'name it is listed under (default cli)')
    .option('--expires-in-days <days>', 'days until it expires (default never)')
    .option('--scopes <scopes>', 'scopes, of read,manage,funds (default all)');
  addForToken('list <accountId>', 'list the authTokens', 'listAuthTokens');
  addForToken('revoke <accountId> <authTokenId>', 'revoke an authToken', 'revokeAuthToken');
}

/** Adds `account-code`: the operator's additions to the published account code. */
export function registerAccountCodeCommands(program: Command): void {
  const group = program.command('account-code').description('make code of accounts known, without a restart');
  const add = commandsOf(group, () => import('./account-code/account-code-commands.ts'), withChain);
  const yes = ['--yes', 'without asking: write it (default: ask at a terminal, else only show it)'] as const;
  add('add <address>', 'add the code of an account, factory, proxy or implementation', 'addAccountCode')
    .option(...yes)
    .option('--reads-like <account>', 'name and version of accounts that read their calls in the same way')
    .option('--used-as <role>', 'what the code is if it does not show: implementation, factory or helper');
  add('list', 'list the code that was added', 'listAccountCodes');
  add('remove <codeHash>', 'remove code that was added', 'removeAccountCode').option(...yes);
}

const onDatabase = (command: Command) => withJson(withSettings(command, databaseSettings));

/** Adds `audit` and `audit log`, which read the database of the configuration. */
export function registerAuditCommand(program: Command): void {
  const add = commandsOf(program, () => import('./show-audit-log.ts'), onDatabase);
  const audit = add('audit', 'show who can do what, highest risk first; changes nothing', 'showAudit');
  onDatabase(audit.command('log').description('who changed what, newest first'))
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

/** Adds `backup` and `restore`, which work on the database of the configuration, and `migrate`, which moves one. */
export function registerBackupCommands(program: Command): void {
  const add = commandsOf(program, () => import('./backup/copies.ts'), onDatabase);
  add('backup', 'copy the database while the service runs, and check the copy', 'backUp').requiredOption(
    '--out <file>',
    'where to write it; an existing file is never overwritten',
  );
  add(
    'restore <file>',
    'replace the database with a copy in a file, and move the old one aside; the service must not run',
    'restore',
  );
  commandsOf(program, () => import('./backup/move-database.ts'), withJson)(
    'migrate',
    'move a stopped installation from its SQLite file to a PostgreSQL server',
    'moveDatabase',
  )
    .requiredOption(
      '--from <sqlite:file>',
      'the file, like sqlite:data/tollfree.db; no service starts with it afterwards',
    )
    .option('--to <url>', 'a database without any tables, like postgres://user@host/name')
    .option('--to-password-file <file>', 'file of mode 0600 with its password, or /dev/stdin; else PGPASSFILE is read')
    .option('--undo', 'let services start with the file again, once none uses the other database');
}

const onService = (command: Command) =>
  withJson(withSettings(command, [...gatewaySettings, ...coreSettings, ...coreConnectionSettings]));

/** Adds `config check`, with the flags of a service. */
export function registerConfigCommands(program: Command): void {
  const group = program.command('config').description('check the configuration of a service');
  const add = commandsOf(group, () => import('./config-check/show-mistakes.ts'), onService);
  add('check', 'report every mistake in a configuration; uses no network', 'showMistakes');
}

/** Adds `doctor`, with the flags of a service. */
export function registerDoctorCommand(program: Command): void {
  const add = commandsOf(program, () => import('./doctor/examine.ts'), onService);
  add('doctor', 'check an installation and its chains, and report how to fix problems', 'showFindings');
}

/** Adds `status`, which asks the admin listener of a running service. */
export function registerStatusCommand(program: Command): void {
  const withConfig = (command: Command) => withJson(withSettings(command, []));
  const add = commandsOf(program, () => import('./show-status.ts'), withConfig);
  add(
    'status',
    'show what is wrong with the service and how to fix it; exit code 1 if anything is',
    'showStatus',
  ).option('--admin <address>', 'admin listener, host:port or a URL (default gateway.adminListen)');
}

/** Adds `hot-wallet`, which reads the database and asks the nodes. */
export function registerHotWalletCommand(program: Command): void {
  const add = commandsOf(program, () => import('./show-hot-wallet.ts'), onDatabase);
  add('hot-wallet', 'show what the hot wallets top up, and what they have sent', 'showHotWallet');
}

/** Adds `simulation-code`: deployed code that makes simulation requests small. */
export function registerSimulationCodeCommands(program: Command): void {
  const group = program
    .command('simulation-code')
    .description('deploy the simulation code on a chain once, so that it is not sent with every node request');
  const add = commandsOf(group, () => import('./simulation-code-commands.ts'), withChain);
  add('status', 'show whether it is on the chains; changes nothing', 'showSimulationCode');
  withPayer(add('deploy', 'deploy the missing parts; they have no owner', 'deploySimulationCode'));
}
