import type { Command } from 'commander';
import { withJson } from '../clients/cli/terminal/print-answer.ts';
import { commandOf, runCommand } from '../clients/cli/terminal/run-command.ts';
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
  onAccounts(account.command('create [name]').description('create an account, print its id'))
    .option('--wallet <address>', 'address of the wallet; it gets the account by signing in, and names it by default')
    .action(commandOf(load, 'createAccount'));
  onAccounts(account.command('list').description('list the accounts')).action(commandOf(load, 'listAccounts'));
  onAccounts(account.command('update <accountId>').description('change its owner, suspend it or open it again'))
    .option('--wallet <address>', 'address of the wallet; it becomes the owner, instead of the current one')
    .option('--active <yes|no>', 'whether it is active; no ends its sessions, and its authTokens are not accepted')
    .action(commandOf(load, 'updateAccount'));

  const authToken = program.command('auth-token').description('issue, list and revoke authTokens of an account');
  onAccounts(authToken.command('issue <accountId>').description('issue an authToken, print it once'))
    .option('--name <name>', 'name it is listed under (default cli)')
    .option('--expires-in-days <days>', 'days until it expires (default never)')
    .option('--scopes <scopes>', 'scopes, of read,manage,funds (default all)')
    .action(commandOf(load, 'createAuthToken'));
  onAccounts(authToken.command('list <accountId>').description('list the authTokens')).action(
    commandOf(load, 'listAuthTokens'),
  );
  onAccounts(authToken.command('revoke <accountId> <authTokenId>').description('revoke an authToken')).action(
    commandOf(load, 'revokeAuthToken'),
  );
}

/** Adds `account-code`: the operator's additions to the published account code. */
export function registerAccountCodeCommands(program: Command): void {
  const load = () => import('./account-code/account-code-commands.ts');
  const group = program.command('account-code').description('make code of accounts known, without a restart');
  const withYes = (command: Command) =>
    withChain(command).option('--yes', 'without asking: write it (default: ask at a terminal, else only show it)');
  withYes(group.command('add <address>').description('add the code of an account, factory, proxy or implementation'))
    .option('--reads-like <account>', 'name and version of accounts that read their calls in the same way')
    .option('--as <role>', 'what the code is if it does not show: implementation or factory')
    .action(commandOf(load, 'addAccountCode'));
  withChain(group.command('list').description('list the code that was added')).action(
    commandOf(load, 'listAccountCodes'),
  );
  withYes(group.command('remove <codeHash>').description('remove code that was added')).action(
    commandOf(load, 'removeAccountCode'),
  );
}

/** Adds `audit` and `audit log`, which read the database of the configuration. */
export function registerAuditCommand(program: Command): void {
  const audit = withJson(
    withSettings(
      program.command('audit').description('show who can do what, highest risk first; changes nothing'),
      databaseSettings,
    ),
  );
  audit.action(commandOf(() => import('./show-audit-log.ts'), 'showAudit'));
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

/** Adds `backup` and `restore`, which work on the database of the configuration, and `migrate`, which moves one. */
export function registerBackupCommands(program: Command): void {
  const onDatabase = (command: Command) => withJson(withSettings(command, databaseSettings));
  onDatabase(program.command('backup').description('copy the database while the service runs, and check the copy'))
    .requiredOption('--out <file>', 'where to write it; an existing file is never overwritten')
    .action(commandOf(() => import('./backup/copies.ts'), 'backUp'));
  onDatabase(
    program
      .command('restore <file>')
      .description('replace the database with a copy in a file, and move the old one aside; the service must not run'),
  ).action(commandOf(() => import('./backup/copies.ts'), 'restore'));
  withJson(
    program.command('migrate').description('move a stopped installation from its SQLite file to a PostgreSQL server'),
  )
    .requiredOption(
      '--from <sqlite:file>',
      'the file, like sqlite:data/tollfree.db; no service starts with it afterwards',
    )
    .option('--to <url>', 'a database without any tables, like postgres://user@host/name')
    .option('--to-password-file <file>', 'file of mode 0600 with its password, or /dev/stdin; else PGPASSFILE is read')
    .option('--undo', 'let services start with the file again, once none uses the other database')
    .action(commandOf(() => import('./backup/move-database.ts'), 'moveDatabase'));
}

/** Adds `config check`, with the flags of a service. */
export function registerConfigCommands(program: Command): void {
  const group = program.command('config').description('check the configuration of a service');
  withJson(
    withSettings(group.command('check').description('report every mistake in a configuration; uses no network'), [
      ...gatewaySettings,
      ...coreSettings,
      ...coreConnectionSettings,
    ]),
  ).action(commandOf(() => import('./config-check/show-mistakes.ts'), 'showMistakes'));
}

/** Adds `doctor`, with the flags of a service. */
export function registerDoctorCommand(program: Command): void {
  withJson(
    withSettings(
      program.command('doctor').description('check an installation and its chains, and report how to fix problems'),
      [...gatewaySettings, ...coreSettings, ...coreConnectionSettings],
    ),
  ).action(commandOf(() => import('./doctor/examine.ts'), 'showFindings'));
}

/** Adds `status`, which asks the admin listener of a running service. */
export function registerStatusCommand(program: Command): void {
  withJson(
    withSettings(
      program
        .command('status')
        .description('show what is wrong with the service and how to fix it; exit code 1 if anything is'),
      [],
    ),
  )
    .option('--admin <address>', 'admin listener, host:port or a URL (default gateway.adminListen)')
    .action(commandOf(() => import('./show-status.ts'), 'showStatus'));
}

/** Adds `treasury`, which reads the database and asks the nodes. */
export function registerTreasuryCommand(program: Command): void {
  const command = program.command('treasury').description('show what the hot wallets top up, and what they have sent');
  withJson(withSettings(command, databaseSettings)).action(
    commandOf(() => import('./show-treasury.ts'), 'showTreasury'),
  );
}

/** Adds `simulation-code`: deployed code that makes simulation requests small. */
export function registerSimulationCodeCommands(program: Command): void {
  const group = program
    .command('simulation-code')
    .description('deploy the simulation code on a chain once, so that it is not sent with every node request');
  withChain(group.command('status').description('show whether it is on the chains; changes nothing')).action(
    commandOf(() => import('./simulation-code-commands.ts'), 'showSimulationCode'),
  );
  withPayer(withChain(group.command('deploy').description('deploy the missing parts; they have no owner'))).action(
    commandOf(() => import('./simulation-code-commands.ts'), 'deploySimulationCode'),
  );
}
