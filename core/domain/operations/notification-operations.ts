import { flag, listMessage, listOf, request, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import {
  DeliveriesRequestSchema,
  DeliveryPageSchema,
  NotificationDeliverySchema,
  NotificationSchema,
  NotificationSecretSchema,
  TankLowRuleSchema,
} from '../notification.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** Destinations that are told what happens at a paymaster. */
export const notificationOperations = {
  /**
   * A URL to tell about events of the paymaster, active at once; `events` are those of `notificationEvents`.
   * `INVALID_FIELD` for anything else, also for `tank.low` without `tankLow`.
   */
  createNotification: {
    input: request({ ...owned, url: text, events: listOf(text), tankLow: TankLowRuleSchema.exactOptional() }),
    value: NotificationSchema,
  },
  /** Lists the notification URLs. */
  listNotifications: {
    input: request(owned),
    value: listMessage('NotificationList', 'notifications', NotificationSchema),
  },
  /** Changes what is given. A new `tankLow` is told again if the tank is low by it. */
  updateNotification: {
    input: request({
      ...owned,
      notificationId: text,
      active: flag.exactOptional(),
      events: listMessage('NotificationEventList', 'events', text).exactOptional(),
      tankLow: TankLowRuleSchema.exactOptional(),
    }),
    value: NotificationSchema,
  },
  /** Forgets the destination and its log. */
  deleteNotification: { input: request({ ...owned, notificationId: text }), value: NotificationSchema },
  /** The secret that signs this destination's messages (Standard Webhooks form, `whsec_…`). */
  readNotificationSecret: { input: request({ ...owned, notificationId: text }), value: NotificationSecretSchema },
  /** Replaces that secret. */
  rotateNotificationSecret: { input: request({ ...owned, notificationId: text }), value: NotificationSecretSchema },
  /** What was sent or is to be sent, newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listNotificationDeliveries: {
    input: DeliveriesRequestSchema,
    value: DeliveryPageSchema,
  },
  /** Sends a message again, whatever became of it, with the whole schedule before it. */
  redeliverNotification: { input: request({ ...owned, deliveryId: text }), value: NotificationDeliverySchema },
  /** Sends a message of type `test`, also to an inactive destination. */
  sendTestNotification: { input: request({ ...owned, notificationId: text }), value: NotificationDeliverySchema },
} as const satisfies CoreMethods;
export type NotificationOperations = OperationsOf<typeof notificationOperations>;
