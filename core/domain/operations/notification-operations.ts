import type { Owned } from '../access/owned.ts';
import type { DeliveryFilter, DeliveryPage, Notification, NotificationDelivery, TankLowRule } from '../notification.ts';
import type { Result } from '../result/result.ts';

/** Destinations that are told what happens at a paymaster. */
export type NotificationOperations = {
  /**
   * A URL to tell about events of the paymaster, active at once; `events` are those of `notificationEvents`.
   * `INVALID_FIELD` for anything else, also for `tank.low` without `tankLow`.
   */
  createNotification(
    input: Owned & { url: string; events: readonly string[]; tankLow?: TankLowRule },
  ): Promise<Result<Notification>>;
  listNotifications(input: Owned): Promise<Result<readonly Notification[]>>;
  /** Changes what is given. A new `tankLow` is told again if the tank is low by it. */
  updateNotification(
    input: Owned & { notificationId: string; active?: boolean; events?: readonly string[]; tankLow?: TankLowRule },
  ): Promise<Result<Notification>>;
  /** Forgets the destination and its log. */
  deleteNotification(input: Owned & { notificationId: string }): Promise<Result<Notification>>;
  /** The secret that signs this destination's messages (Standard Webhooks form, `whsec_…`). */
  readNotificationSecret(input: Owned & { notificationId: string }): Promise<Result<{ secret: string }>>;
  rotateNotificationSecret(input: Owned & { notificationId: string }): Promise<Result<{ secret: string }>>;
  /** What was sent or is to be sent, newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listNotificationDeliveries(
    input: Owned & { filter: DeliveryFilter; cursor?: string; limit?: number },
  ): Promise<Result<DeliveryPage>>;
  /** Sends a message again, whatever became of it, with the whole schedule before it. */
  redeliverNotification(input: Owned & { deliveryId: string }): Promise<Result<NotificationDelivery>>;
  /** Sends a message of type `test`, also to an inactive destination. */
  sendTestNotification(input: Owned & { notificationId: string }): Promise<Result<NotificationDelivery>>;
};
