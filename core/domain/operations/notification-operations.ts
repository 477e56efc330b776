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

/** Destinations that are notified about a paymaster's events. */
export const notificationOperations = {
  /**
   * Registers a URL to notify about events of the paymaster, active at once; `events` are those of `notificationEvents`.
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
  /** Changes the given fields. A new `tankLow` notifies again if the tank is low by it. */
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
  /** Deletes the destination and its log. */
  deleteNotification: { input: request({ ...owned, notificationId: text }), value: NotificationSchema },
  /** The secret that signs this destination's messages (Standard Webhooks form, `whsec_…`). */
  readNotificationSecret: { input: request({ ...owned, notificationId: text }), value: NotificationSecretSchema },
  /** Replaces that secret. */
  rotateNotificationSecret: { input: request({ ...owned, notificationId: text }), value: NotificationSecretSchema },
  /** Sent and pending messages, newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listNotificationDeliveries: {
    input: DeliveriesRequestSchema,
    value: DeliveryPageSchema,
  },
  /** Sends a message again, in any state, with the full retry schedule. */
  redeliverNotification: { input: request({ ...owned, deliveryId: text }), value: NotificationDeliverySchema },
  /** Sends a message of type `test`, also to an inactive destination. */
  sendTestNotification: { input: request({ ...owned, notificationId: text }), value: NotificationDeliverySchema },
} as const satisfies CoreMethods;
export type NotificationOperations = OperationsOf<typeof notificationOperations>;
