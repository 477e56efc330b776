import { counted } from '@tollfree/contract/counted';
import { maxTankLowDays, maxTankLowWei } from '@tollfree/contract/limits';
import type { NotificationItem, TankLow } from '@tollfree/contract/notification';
import {
  CreateNotificationRequestSchema,
  ListNotificationDeliveriesQuerySchema,
  UpdateNotificationRequestSchema,
} from '@tollfree/contract/notification';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { openPaymaster } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { countFlag, type Flags, textFlag, yesNoFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows, printSecret } from './terminal/print-answer.ts';
import { readPassword } from './terminal/read-file.ts';

export async function createNotification(url: string | undefined, flags: Flags): Promise<void> {
  const events = readEvents(flags);
  if (events === undefined) throw mistake('--events is missing.');
  const tankLow = readTankLow(flags);
  const notification = await (await openPaymaster(flags)).client.createNotification({
    ...readDestination(url, flags),
    events,
    tankLow,
  });
  printAnswer(flags, notification, () => {
    const { notificationId, target } = notification;
    printLine(`Registered the notification ${notificationId}. It is active.`);
    if (target === 'WEBHOOK') {
      printHint(`The secret that signs its messages: tollfree notification secret ${notificationId}`);
    }
    printHint(`To try it: tollfree notification test ${notificationId}`);
  });
}

export async function listNotifications(flags: Flags): Promise<void> {
  const notifications = await (await openPaymaster(flags)).client.listNotifications();
  printAnswer(flags, notifications, () =>
    printRows(
      notifications.map(({ notificationId, target, url, recipient = '', events, tankLow, active }) => ({
        notificationId,
        target,
        url,
        recipient,
        events: events.join(','),
        tankLow: describeTankLow(tankLow),
        active: active ? 'yes' : 'no',
      })),
      'This paymaster has no notifications.',
    ),
  );
}

export async function updateNotification(notificationId: string, flags: Flags): Promise<void> {
  const active = yesNoFlag(flags, 'active');
  const changes = { events: readEvents(flags), tankLow: readTankLow(flags), active };
  const { client } = await openPaymaster(flags);
  const before = (await client.listNotifications()).find((one) => one.notificationId === notificationId);
  const notification = await client.updateNotification({ notificationId, ...changes, etag: before?.etag });
  printAnswer(flags, notification, () => {
    const state = notification.active ? 'active' : 'inactive';
    printLine(`The notification ${notificationId} is ${state}, for ${notification.events.join(', ')}.`);
  });
}

export async function deleteNotification(notificationId: string, flags: Flags): Promise<void> {
  await (await openPaymaster(flags)).client.deleteNotification({ notificationId });
  printAnswer(flags, { notificationId }, () => printLine(`Deleted the notification ${notificationId}.`));
}

/** `tollfree notification secret`: prints only the secret on stdout; with `--rotate` a new one. */
export async function showNotificationSecret(notificationId: string, flags: Flags): Promise<void> {
  const { client } = await openPaymaster(flags);
  const { secret } = await (flags.rotate === true
    ? client.rotateNotificationSecret({ notificationId })
    : client.readNotificationSecret({ notificationId }));
  printSecret(flags, secret);
}

export async function listNotificationDeliveries(flags: Flags): Promise<void> {
  const { limit, ...rest } = readDeliveriesQuery(flags);
  const page = await (await openPaymaster(flags)).client.listNotificationDeliveries({
    ...rest,
    limit: limit === undefined ? undefined : Number(limit),
  });
  printAnswer(flags, page, () => {
    if (page.deliveries.length === 0) return printHint('There are no deliveries.');
    printRows(
      page.deliveries.map(
        ({ createdAt, deliveryId, type, state, attempts, lastProblem, lastStatus, nextAttemptAt }) => ({
          time: formatTime(createdAt),
          deliveryId,
          type,
          state,
          attempts: String(attempts),
          last: lastProblem ?? (lastStatus === undefined ? '' : `answered ${lastStatus}`),
          next: nextAttemptAt === undefined ? '' : formatTime(nextAttemptAt),
        }),
      ),
    );
    if (page.nextCursor !== undefined) printHint(`There are older ones: --cursor ${page.nextCursor}`);
  });
}

export async function redeliverNotification(deliveryId: string, flags: Flags): Promise<void> {
  const delivery = await (await openPaymaster(flags)).client.redeliverNotification({ deliveryId });
  printAnswer(flags, delivery, () => printLine(`The message ${deliveryId} is sent again.`));
}

export async function sendTestNotification(notificationId: string, flags: Flags): Promise<void> {
  const delivery = await (await openPaymaster(flags)).client.sendTestNotification({ notificationId });
  printAnswer(flags, delivery, () => {
    printLine(`The test message ${delivery.deliveryId} is on its way.`);
    printHint(`See its result: tollfree notification deliveries --notification-id ${notificationId}`);
  });
}

/** Where messages go. A token is read from a file that others cannot read, since command lines are visible to them. */
function readDestination(url: string | undefined, flags: Flags) {
  const chosen = CreateNotificationRequestSchema.shape.target.safeParse(textFlag(flags, 'target')?.toUpperCase());
  if (!chosen.success) throw mistake(`--${chosen.error.issues[0]?.message ?? 'target cannot be read'}.`);
  const file = textFlag(flags, 'tokenFile');
  const token = file === undefined ? undefined : readPassword(file);
  return omitAbsent({ target: chosen.data, url, token, chatId: textFlag(flags, 'chatId') });
}

/** The events of `--events a,b`, in the API's form. */
function readEvents(flags: Flags): NotificationItem['events'] | undefined {
  const text = textFlag(flags, 'events');
  if (text === undefined) return undefined;
  const parsed = UpdateNotificationRequestSchema.shape.events.safeParse(text.split(',').map((event) => event.trim()));
  if (!parsed.success) throw mistake(`--${parsed.error.issues[0]?.message ?? 'events cannot be read'}.`);
  return parsed.data;
}

function readTankLow(flags: Flags): TankLow | undefined {
  const thresholdWei = textFlag(flags, 'thresholdWei');
  const daysLeft = countFlag(flags, 'days-left', maxTankLowDays);
  if (thresholdWei === undefined && daysLeft === undefined) return undefined;
  if (thresholdWei !== undefined && !(/^[1-9]\d*$/.test(thresholdWei) && BigInt(thresholdWei) <= maxTankLowWei)) {
    throw mistake(`--threshold-wei must be from 1 to ${maxTankLowWei} wei.`);
  }
  return omitAbsent({ thresholdWei, daysLeft });
}

function readDeliveriesQuery(flags: Flags) {
  const { notificationId, state, cursor, limit } = flags;
  const parsed = ListNotificationDeliveriesQuerySchema.safeParse({ notificationId, state, cursor, limit });
  if (!parsed.success) throw mistake(`--${parsed.error.issues[0]?.message ?? 'an option cannot be read'}.`);
  return parsed.data;
}

function describeTankLow(rule: TankLow | undefined): string {
  if (rule === undefined) return '';
  const { thresholdWei, daysLeft } = rule;
  const marks = [thresholdWei && `${thresholdWei} wei`, daysLeft && counted(daysLeft, 'day')];
  return marks.filter((mark) => mark !== undefined).join(' or ');
}
