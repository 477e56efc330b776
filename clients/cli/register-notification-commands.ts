import { defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import type { Command } from 'commander';
import { withApiKey } from './register-management-commands.ts';
import { runCommand } from './terminal/run-command.ts';

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
