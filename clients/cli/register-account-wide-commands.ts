import { defaultPageSize, defaultUsageDays, maxAuthTokenDays, maxPageSize } from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { withAccount, withApiKey } from './register-management-commands.ts';
import { commandOf } from './terminal/run-command.ts';

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
    .action(commandOf(load, 'createToken'));
  withAccount(token.command('list').description('list the authTokens')).action(commandOf(load, 'listTokens'));
  withAccount(
    token.command('revoke <authTokenId>').description('revoke an authToken and end the sessions that started with it'),
  ).action(commandOf(load, 'revokeToken'));
}

/** Adds `member`: the wallets that sign in to an account, for its owners. */
export function registerMemberCommands(program: Command): void {
  const load = () => import('./member-commands.ts');
  const role = ['--role <role>', 'owner, manager or viewer'] as const;
  const member = program.command('member').description('list, invite and remove those who sign in to your account');
  withAccount(member.command('list').description('list the members and their roles')).action(
    commandOf(load, 'listMembers'),
  );
  withAccount(member.command('add <wallet>').description('invite a wallet'))
    .requiredOption(...role)
    .option('--chain-id <id>', 'chain id, of a contract wallet such as a Safe; leave it out for other wallets')
    .action(commandOf(load, 'addMember'));
  withAccount(member.command('set <wallet>').description("change a member's role, effective immediately"))
    .requiredOption(...role)
    .action(commandOf(load, 'changeMember'));
  withAccount(
    member.command('remove <wallet>').description('remove a member, its sessions and the authTokens it created'),
  ).action(commandOf(load, 'removeMember'));
}

/** Adds `session`: the sessions of browsers that are signed in to an account, for its holder. */
export function registerSessionCommands(program: Command): void {
  const load = () => import('./token-commands.ts');
  const session = program.command('session').description('list and end browser sessions of your account');
  withAccount(session.command('list').description('list the sessions that have not ended')).action(
    commandOf(load, 'listSessions'),
  );
  withAccount(session.command('revoke [sessionId]').description('end a session, or all of them'))
    .option('--all', 'sign out everywhere')
    .action(commandOf(load, 'revokeSessions'));
}

/** Adds `budget`: what the account's paymasters may sponsor together, in USD. */
export function registerBudgetCommands(program: Command): void {
  const load = () => import('./budget-commands.ts');
  const max = ['--max <usd>', 'the most in each window, in USD: 250.00'] as const;
  const window = ['--window <window>', 'day, week, month or ever'] as const;
  const paymasters = [
    '--paymasters <ids>',
    'the paymasters that share it, comma-separated; else all of the account',
  ] as const;
  const budget = program.command('budget').description('limit what your paymasters sponsor together, in USD');
  withAccount(budget.command('list').description('list the budgets with their usage')).action(
    commandOf(load, 'listBudgets'),
  );
  withAccount(budget.command('create <name>').description('create a budget'))
    .requiredOption(...max)
    .requiredOption(...window)
    .option(...paymasters)
    .action(commandOf(load, 'createBudget'));
  withAccount(budget.command('set <budgetId>').description('change a budget; its usage stays'))
    .option('--name <name>', 'name it is listed under')
    .option(...max)
    .option(...window)
    .option(...paymasters)
    .option('--all-paymasters', 'all of the account share it')
    .action(commandOf(load, 'changeBudget'));
  withAccount(budget.command('delete <budgetId>').description('delete a budget')).action(
    commandOf(load, 'deleteBudget'),
  );
}

/** Adds `notification`: URLs that are notified of events, and their deliveries. */
export function registerNotificationCommands(program: Command): void {
  const load = () => import('./notification-commands.ts');
  const notification = program.command('notification').description('choose the URLs that are notified of events');
  const events = [
    '--events <events>',
    'tank.low, webhook.failing, operation.sent, operation.included, operation.dropped, operation.settled, operation.failed, operation.diverged, payment.failed',
  ] as const;
  const threshold = ['--threshold-wei <wei>', 'the tank is low below this amount'] as const;
  const days = ['--days-left <days>', 'the tank is low if it is expected to last fewer days'] as const;
  withApiKey(notification.command('create <url>').description('register a URL, print its id'))
    .requiredOption(...events)
    .option(...threshold)
    .option(...days)
    .action(commandOf(load, 'createNotification'));
  withApiKey(notification.command('list').description('list the URLs')).action(commandOf(load, 'listNotifications'));
  withApiKey(notification.command('update <notificationId>').description('change the given settings'))
    .option(...events)
    .option(...threshold)
    .option(...days)
    .option('--active <yes|no>', 'whether it is active; it is notified then')
    .action(commandOf(load, 'updateNotification'));
  withApiKey(notification.command('delete <notificationId>').description('delete a URL and its log')).action(
    commandOf(load, 'deleteNotification'),
  );
  withApiKey(notification.command('secret <notificationId>').description('print the secret that signs its messages'))
    .option('--rotate', 'create a new secret first')
    .action(commandOf(load, 'showNotificationSecret'));
  withApiKey(notification.command('deliveries').description('list sent and pending messages, newest first'))
    .option('--notification-id <id>', 'only to this URL')
    .option('--state <state>', 'only pending, delivered, failed or dropped ones')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`)
    .action(commandOf(load, 'listNotificationDeliveries'));
  withApiKey(notification.command('redeliver <deliveryId>').description('send a message again')).action(
    commandOf(load, 'redeliverNotification'),
  );
  withApiKey(notification.command('test <notificationId>').description('send a test message')).action(
    commandOf(load, 'sendTestNotification'),
  );
}

/** Adds the commands about a paymaster's decisions and usage: `why`, `decisions`, `explain` and `usage`. */
export function registerDecisionCommands(program: Command): void {
  const load = () => import('./decision-commands.ts');
  withApiKey(
    program
      .command('why <idOrHash>')
      .description('explain what happened: to a decision id, a user operation hash or a transaction hash'),
  ).action(commandOf(() => import('./why-command.ts'), 'explainWhy'));
  withApiKey(program.command('decisions').description('list decisions, newest first'))
    .option('--outcome <outcome>', 'only signed, quoted, stub or refused ones')
    .option('--refusal <reason>', 'only refusals with this reason, like LIMIT_EXCEEDED')
    .option('--sender <address>', 'only those of this sender')
    .option('--mode <mode>', 'only SPONSORED or ERC20 ones')
    .option('--status <status>', 'only those that came so far: refused, signed, sent, included, failed, dropped, …')
    .option('--tx <hash>', 'only operations that landed in this transaction')
    .option('--from <time>', 'start of the period: 2026-01-31, 2026-01-31T10:00:00Z or Unix seconds')
    .option('--until <time>', 'end of the period, which is not in it')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`)
    .option('--csv', 'print CSV: one line for each decision, amounts in wei')
    .action(commandOf(load, 'listDecisions'));
  withApiKey(
    program
      .command('explain <file>')
      .description('explain how a request would be answered now: a JSON-RPC request in a file, or its params'),
  )
    .option('--ask-webhooks', 'call the webhooks; otherwise they are assumed to agree')
    .action(commandOf(load, 'explainRequest'));
  withApiKey(program.command('usage').description('show usage and cost, highest cost first'))
    .option('--by <what>', 'day, sender, contract, method, token, attribution or outcome', 'day')
    .option(
      '--from <day>',
      `start of the period: its first UTC day, like 2026-01-31 (default: ${defaultUsageDays} days in all)`,
    )
    .option('--until <day>', 'end of the period: its last UTC day (default: today)')
    .action(commandOf(load, 'showUsage'));
}
