import {
  CreateNotificationRequestSchema,
  DeleteNotificationRequestSchema,
  ListNotificationDeliveriesRequestSchema,
  ListNotificationsRequestSchema,
  NotificationDeliveryPageSchema,
  NotificationDeliverySchema,
  NotificationListSchema,
  NotificationSchema,
  NotificationSecretSchema,
  ReadNotificationSecretRequestSchema,
  RedeliverNotificationRequestSchema,
  RotateNotificationSecretRequestSchema,
  SendTestNotificationRequestSchema,
  TankLowRuleSchema,
  UpdateNotificationRequestSchema,
} from '../../../proto/gen/tollfree/core/v1/notification_pb.ts';
import {
  deliveryStates,
  type Notification,
  type NotificationDelivery,
  notificationEvents,
  notificationTypes,
  type TankLowRule,
} from '../../domain/notification.ts';
import type { Input, Value } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import {
  readBigint,
  readOneOf,
  readOptionalSeconds,
  readSeconds,
  writeBigint,
  writeOptionalSeconds,
  writeSeconds,
} from './scalars.ts';

const tankLowConverter = converter(
  TankLowRuleSchema,
  ({ thresholdWei, daysLeft }: TankLowRule) =>
    omitAbsent({ thresholdWei: thresholdWei === undefined ? undefined : writeBigint(thresholdWei), daysLeft }),
  ({ thresholdWei, daysLeft }): TankLowRule =>
    omitAbsent({ thresholdWei: thresholdWei === undefined ? undefined : readBigint(thresholdWei), daysLeft }),
);

function writeTankLow(rule: TankLowRule | undefined) {
  return rule === undefined ? undefined : tankLowConverter.toMessage(rule);
}

function readTankLow(message: Parameters<typeof tankLowConverter.toDomain>[0] | undefined): TankLowRule | undefined {
  return message === undefined ? undefined : tankLowConverter.toDomain(message);
}

export const notificationConverter = converter(
  NotificationSchema,
  ({ tankLow, events, ...notification }: Notification) =>
    omitAbsent({ ...notification, events: [...events], tankLow: writeTankLow(tankLow) }),
  ({ notificationId, url, events, tankLow, active }): Notification =>
    omitAbsent({
      notificationId,
      url,
      events: events.map((event) => readOneOf(notificationEvents, event)),
      tankLow: readTankLow(tankLow),
      active,
    }),
);

export const notificationListConverter = converter(
  NotificationListSchema,
  (notifications: readonly Notification[]) => ({ notifications: notifications.map(notificationConverter.toMessage) }),
  (message): readonly Notification[] => message.notifications.map(notificationConverter.toDomain),
);

export const notificationSecretConverter = converter(
  NotificationSecretSchema,
  (value: Value<'readNotificationSecret'>) => value,
  ({ secret }): Value<'readNotificationSecret'> => ({ secret }),
);

export const notificationDeliveryConverter = converter(
  NotificationDeliverySchema,
  (delivery: NotificationDelivery) =>
    omitAbsent({
      ...delivery,
      attempts: BigInt(delivery.attempts),
      createdAt: writeSeconds(delivery.createdAt),
      lastAttemptAt: writeOptionalSeconds(delivery.lastAttemptAt),
      nextAttemptAt: writeOptionalSeconds(delivery.nextAttemptAt),
    }),
  (message): NotificationDelivery =>
    omitAbsent({
      deliveryId: message.deliveryId,
      notificationId: message.notificationId,
      type: readOneOf(notificationTypes, message.type),
      state: readOneOf(deliveryStates, message.state),
      attempts: Number(message.attempts),
      createdAt: readSeconds(message.createdAt),
      lastAttemptAt: readOptionalSeconds(message.lastAttemptAt),
      lastStatus: message.lastStatus,
      lastProblem: message.lastProblem,
      nextAttemptAt: readOptionalSeconds(message.nextAttemptAt),
    }),
);

export const notificationDeliveryPageConverter = converter(
  NotificationDeliveryPageSchema,
  ({ deliveries, ...page }: Value<'listNotificationDeliveries'>) => ({
    ...page,
    deliveries: deliveries.map(notificationDeliveryConverter.toMessage),
  }),
  ({ deliveries, nextCursor }): Value<'listNotificationDeliveries'> =>
    omitAbsent({ deliveries: deliveries.map(notificationDeliveryConverter.toDomain), nextCursor }),
);

export const createNotificationInput = converter(
  CreateNotificationRequestSchema,
  ({ tankLow, events, ...input }: Input<'createNotification'>) =>
    omitAbsent({ ...input, events: [...events], tankLow: writeTankLow(tankLow) }),
  ({ accountId, paymasterId, url, events, tankLow }): Input<'createNotification'> =>
    omitAbsent({ accountId, paymasterId, url, events, tankLow: readTankLow(tankLow) }),
);

export const listNotificationsInput = converter(
  ListNotificationsRequestSchema,
  (input: Input<'listNotifications'>) => input,
  ({ accountId, paymasterId }): Input<'listNotifications'> => ({ accountId, paymasterId }),
);

export const updateNotificationInput = converter(
  UpdateNotificationRequestSchema,
  ({ tankLow, events, ...input }: Input<'updateNotification'>) =>
    omitAbsent({
      ...input,
      events: events === undefined ? undefined : { events: [...events] },
      tankLow: writeTankLow(tankLow),
    }),
  ({ accountId, paymasterId, notificationId, active, events, tankLow }): Input<'updateNotification'> =>
    omitAbsent({
      accountId,
      paymasterId,
      notificationId,
      active,
      events: events?.events,
      tankLow: readTankLow(tankLow),
    }),
);

export const deleteNotificationInput = converter(
  DeleteNotificationRequestSchema,
  (input: Input<'deleteNotification'>) => input,
  ({ accountId, paymasterId, notificationId }): Input<'deleteNotification'> => ({
    accountId,
    paymasterId,
    notificationId,
  }),
);

export const readNotificationSecretInput = converter(
  ReadNotificationSecretRequestSchema,
  (input: Input<'readNotificationSecret'>) => input,
  ({ accountId, paymasterId, notificationId }): Input<'readNotificationSecret'> => ({
    accountId,
    paymasterId,
    notificationId,
  }),
);

export const rotateNotificationSecretInput = converter(
  RotateNotificationSecretRequestSchema,
  (input: Input<'rotateNotificationSecret'>) => input,
  ({ accountId, paymasterId, notificationId }): Input<'rotateNotificationSecret'> => ({
    accountId,
    paymasterId,
    notificationId,
  }),
);

export const listNotificationDeliveriesInput = converter(
  ListNotificationDeliveriesRequestSchema,
  ({ filter, ...input }: Input<'listNotificationDeliveries'>) => ({ ...input, ...filter }),
  ({ accountId, paymasterId, notificationId, state, cursor, limit }): Input<'listNotificationDeliveries'> =>
    omitAbsent({
      accountId,
      paymasterId,
      filter: omitAbsent({
        notificationId,
        state: state === undefined ? undefined : readOneOf(deliveryStates, state),
      }),
      cursor,
      limit,
    }),
);

export const redeliverNotificationInput = converter(
  RedeliverNotificationRequestSchema,
  (input: Input<'redeliverNotification'>) => input,
  ({ accountId, paymasterId, deliveryId }): Input<'redeliverNotification'> => ({ accountId, paymasterId, deliveryId }),
);

export const sendTestNotificationInput = converter(
  SendTestNotificationRequestSchema,
  (input: Input<'sendTestNotification'>) => input,
  ({ accountId, paymasterId, notificationId }): Input<'sendTestNotification'> => ({
    accountId,
    paymasterId,
    notificationId,
  }),
);
