import { defaultPageSize, defaultUsageDays, maxAuthTokenDays, maxPageSize } from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { withAccount, withApiKey } from './register-management-commands.ts';
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

/** Adds `member`: the wallets that sign in to an account, for its owners. */
export function registerMemberCommands(program: Command): void {
  const load = () => import('./member-commands.ts');
  const role = ['--role <role>', 'owner, manager or viewer'] as const;
  const member = program.command('member').description('list, invite and remove those who sign in to your account');
  withAccount(member.command('list').description('list the members and their roles')).action((flags) =>
    runCommand(async () => (await load()).listMembers(flags)),
  );
  withAccount(member.command('add <wallet>').description('invite a wallet'))
    .requiredOption(...role)
    .option('--chain-id <id>', 'chain id, of a contract wallet such as a Safe; leave it out for other wallets')
    .action((wallet, flags) => runCommand(async () => (await load()).addMember(wallet, flags)));
  withAccount(member.command('set <wallet>').description("change a member's role, effective immediately"))
    .requiredOption(...role)
    .action((wallet, flags) => runCommand(async () => (await load()).changeMember(wallet, flags)));
  withAccount(
    member.command('remove <wallet>').description('remove a member, its sessions and the authTokens it created'),
  ).action((wallet, flags) => runCommand(async () => (await load()).removeMember(wallet, flags)));
}

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
  withAccount(budget.command('list').description('list the budgets with their usage')).action((flags) =>
    runCommand(async () => (await load()).listBudgets(flags)),
  );
  withAccount(budget.command('create <name>').description('create a budget'))
    .requiredOption(...max)
    .requiredOption(...window)
    .option(...paymasters)
    .action((name, flags) => runCommand(async () => (await load()).createBudget(name, flags)));
  withAccount(budget.command('set <budgetId>').description('change a budget; its usage stays'))
    .option('--name <name>', 'name it is listed under')
    .option(...max)
    .option(...window)
    .option(...paymasters)
    .option('--all-paymasters', 'all of the account share it')
    .action((budgetId, flags) => runCommand(async () => (await load()).changeBudget(budgetId, flags)));
  withAccount(budget.command('delete <budgetId>').description('delete a budget')).action((budgetId, flags) =>
    runCommand(async () => (await load()).deleteBudget(budgetId, flags)),
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
    .action((url, flags) => runCommand(async () => (await load()).createNotification(url, flags)));
  withApiKey(notification.command('list').description('list the URLs')).action((flags) =>
    runCommand(async () => (await load()).listNotifications(flags)),
  );
  withApiKey(notification.command('update <notificationId>').description('change the given settings'))
    .option(...events)
    .option(...threshold)
    .option(...days)
    .option('--active <yes|no>', 'whether it is active; it is notified then')
    .action((id, flags) => runCommand(async () => (await load()).updateNotification(id, flags)));
  withApiKey(notification.command('delete <notificationId>').description('delete a URL and its log')).action(
    (id, flags) => runCommand(async () => (await load()).deleteNotification(id, flags)),
  );
  withApiKey(notification.command('secret <notificationId>').description('print the secret that signs its messages'))
    .option('--rotate', 'create a new secret first')
    .action((id, flags) => runCommand(async () => (await load()).showNotificationSecret(id, flags)));
  withApiKey(notification.command('deliveries').description('list sent and pending messages, newest first'))
    .option('--notification-id <id>', 'only to this URL')
    .option('--state <state>', 'only pending, delivered, failed or dropped ones')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--limit <count>', `entries, 1 to ${maxPageSize} (default ${defaultPageSize})`)
    .action((flags) => runCommand(async () => (await load()).listNotificationDeliveries(flags)));
  withApiKey(notification.command('redeliver <deliveryId>').description('send a message again')).action((id, flags) =>
    runCommand(async () => (await load()).redeliverNotification(id, flags)),
  );
  withApiKey(notification.command('test <notificationId>').description('send a test message')).action((id, flags) =>
    runCommand(async () => (await load()).sendTestNotification(id, flags)),
  );
}

/** Adds the commands about a paymaster's decisions and usage: `why`, `decisions`, `explain` and `usage`. */
export function registerDecisionCommands(program: Command): void {
  const load = () => import('./decision-commands.ts');
  withApiKey(
    program
      .command('why <idOrHash>')
      .description('explain what happened: to a decision id, a user operation hash or a transaction hash'),
  ).action((what, flags) => runCommand(async () => (await import('./why-command.ts')).explainWhy(what, flags)));
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
    .action((flags) => runCommand(async () => (await load()).listDecisions(flags)));
  withApiKey(
    program
      .command('explain <file>')
      .description('explain how a request would be answered now: a JSON-RPC request in a file, or its params'),
  )
    .option('--ask-webhooks', 'call the webhooks; otherwise they are assumed to agree')
    .action((file, flags) => runCommand(async () => (await load()).explainRequest(file, flags)));
  withApiKey(program.command('usage').description('show usage and cost, highest cost first'))
    .option('--by <what>', 'day, sender, contract, method, token, attribution or outcome', 'day')
    .option(
      '--from <day>',
      `start of the period: its first UTC day, like 2026-01-31 (default: ${defaultUsageDays} days in all)`,
    )
    .option('--until <day>', 'end of the period: its last UTC day (default: today)')
    .action((flags) => runCommand(async () => (await load()).showUsage(flags)));
}
