import { defaultPageSize, defaultUsageDays, maxAuthTokenDays, maxPageSize } from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { withAccount, withApiKey } from './register-management-commands.ts';
import { commandsOf } from './terminal/run-command.ts';

/** Adds `token`: the authTokens of an account, for its holder. */
export function registerTokenCommands(program: Command): void {
  const token = program.command('token').description('create, list and revoke your own authTokens');
  const add = commandsOf(token, () => import('./token-commands.ts'), withAccount);
  add('create <name>', 'create an authToken, print it once', 'createToken')
    .option(
      '--expires-in-days <days>',
      `days until it expires, 1 to ${maxAuthTokenDays} (default: as the authToken in use)`,
    )
    .option('--scopes <scopes>', 'scopes, of read,manage,funds (default: those of the authToken in use)');
  add('list', 'list the authTokens', 'listTokens');
  add('revoke <authTokenId>', 'revoke an authToken and end the sessions that started with it', 'revokeToken');
}

/** Adds `member`: the wallets that sign in to an account, for its owners. */
export function registerMemberCommands(program: Command): void {
  const role = ['--role <role>', 'owner, manager or viewer'] as const;
  const member = program.command('member').description('list, invite and remove those who sign in to your account');
  const add = commandsOf(member, () => import('./member-commands.ts'), withAccount);
  add('list', 'list the members and their roles', 'listMembers');
  add('add <wallet>', 'invite a wallet', 'addMember')
    .requiredOption(...role)
    .option('--name <name>', 'name it is listed under; the member can change it')
    .option('--chain-id <id>', 'chain id, of a contract wallet such as a Safe; leave it out for other wallets');
  add('set <wallet>', "change a member's role, effective immediately", 'changeMember').requiredOption(...role);
  add('rename <wallet> <name>', 'give a member another name', 'renameMember');
  add('remove <wallet>', 'remove a member, its sessions and the authTokens it created', 'removeMember');
}

/** Adds `session`: the sessions of browsers that are signed in to an account, for its holder. */
export function registerSessionCommands(program: Command): void {
  const session = program.command('session').description('list and end browser sessions of your account');
  const add = commandsOf(session, () => import('./token-commands.ts'), withAccount);
  add('list', 'list the sessions that have not ended', 'listSessions');
  add('revoke [sessionId]', 'end a session, or all of them', 'revokeSessions').option('--all', 'sign out everywhere');
}

/** Adds `budget`: what the account's paymasters may sponsor together, in USD. */
export function registerBudgetCommands(program: Command): void {
  const max = ['--max <usd>', 'the most in each window, in USD: 250.00'] as const;
  const window = ['--window <window>', 'day, week, month or ever'] as const;
  const paymasters = [
    '--paymasters <names|ids>',
    'the paymasters that share it, by name or id, comma-separated; else all of the account',
  ] as const;
  const budget = program.command('budget').description('limit what your paymasters sponsor together, in USD');
  const add = commandsOf(budget, () => import('./budget-commands.ts'), withAccount);
  add('list', 'list the budgets with their usage', 'listBudgets');
  add('create <name>', 'create a budget', 'createBudget')
    .requiredOption(...max)
    .requiredOption(...window)
    .option(...paymasters);
  add('set <budgetId>', 'change a budget; its usage stays', 'changeBudget')
    .option('--name <name>', 'name it is listed under')
    .option(...max)
    .option(...window)
    .option(...paymasters)
    .option('--all-paymasters', 'all of the account share it');
  add('delete <budgetId>', 'delete a budget', 'deleteBudget');
}

/** Adds `notification`: who is notified of events, and their deliveries. */
export function registerNotificationCommands(program: Command): void {
  const notification = program.command('notification').description('choose who is notified of events');
  const add = commandsOf(notification, () => import('./notification-commands.ts'), withApiKey);
  const events = [
    '--events <events>',
    'tank.low, webhook.failing, operation.sent, operation.included, operation.dropped, operation.settled, operation.failed, operation.diverged, payment.failed',
  ] as const;
  const threshold = ['--threshold-wei <wei>', 'the tank is low below this amount'] as const;
  const days = ['--days-left <days>', 'the tank is low if it is expected to last fewer days'] as const;
  add('create [url]', 'register a server, or Slack, Discord, Telegram or PagerDuty; print its id', 'createNotification')
    .requiredOption(...events)
    .option('--target <target>', 'WEBHOOK (default), SLACK, DISCORD, TELEGRAM or PAGERDUTY')
    .option('--token-file <file>', 'file with the token of the Telegram bot, or the PagerDuty integration key')
    .option('--chat-id <chat>', 'the Telegram chat: its number, or @ and the name of a public channel')
    .option(...threshold)
    .option(...days);
  add('list', 'list the destinations', 'listNotifications');
  add('update <notificationId>', 'change the given settings', 'updateNotification')
    .option(...events)
    .option(...threshold)
    .option(...days)
    .option('--active <yes|no>', 'whether it is active; it is notified then');
  add('delete <notificationId>', 'delete a URL and its log', 'deleteNotification');
  add('secret <notificationId>', 'print the secret that signs its messages', 'showNotificationSecret').option(
    '--rotate',
    'create a new secret first',
  );
  add('deliveries', 'list sent and pending messages, newest first', 'listNotificationDeliveries')
    .option('--notification-id <id>', 'only to this URL')
    .option('--state <state>', 'only pending, delivered, failed or dropped ones')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`);
  add('redeliver <deliveryId>', 'send a message again', 'redeliverNotification');
  add('test <notificationId>', 'send a test message', 'sendTestNotification');
}

/** Adds the commands about a paymaster's decisions and usage: `why`, `decisions`, `explain` and `usage`. */
export function registerDecisionCommands(program: Command): void {
  commandsOf(program, () => import('./why-command.ts'), withApiKey)(
    'why <idOrHash>',
    'explain what happened: to a decision id, a user operation hash or a transaction hash',
    'explainWhy',
  );
  const add = commandsOf(program, () => import('./decision-commands.ts'), withApiKey);
  add('decisions', 'list decisions, newest first', 'listDecisions')
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
    .option('--group', 'with --outcome refused: each cause once, with the command that fixes it');
  add(
    'explain <file>',
    'explain how a request would be answered now: a JSON-RPC request in a file, or its params',
    'explainRequest',
  ).option('--ask-webhooks', 'call the webhooks; otherwise they are assumed to agree');
  add('usage', 'show usage and cost, highest cost first', 'showUsage')
    .option('--by <what>', 'day, sender, contract, method, token, attribution, via, apiKey, outcome or total', 'day')
    .option(
      '--from <day>',
      `start of the period: its first UTC day, like 2026-01-31 (default: ${defaultUsageDays} days in all)`,
    )
    .option('--until <day>', 'end of the period: its last UTC day (default: today)');
}
