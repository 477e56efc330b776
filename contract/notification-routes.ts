import { z } from 'zod';
import { managementErrors } from './errors.ts';
import {
  CreateNotificationRequestSchema,
  ListNotificationDeliveriesQuerySchema,
  NotificationDeliveryPageSchema,
  NotificationDeliverySchema,
  NotificationIdQuerySchema,
  NotificationIdRequestSchema,
  NotificationSchema,
  NotificationSecretSchema,
  RedeliverNotificationRequestSchema,
  UpdateNotificationRequestSchema,
} from './notification.ts';
import { manageOperation, readOperation } from './operation.ts';

const errors = [managementErrors.notificationNotFound];

/** Notification URLs of a paymaster, and the deliveries to them. */
export const notificationOperations = {
  /**
   * Registers a URL for event notifications. It is active from the start; `tank.low` needs `tankLow`.
   *
   * @example
   * await client.createNotification({
   *   url: 'https://shop.example/gas-events',
   *   events: ['tank.low', 'operation.failed'],
   *   tankLow: { thresholdWei: '100000000000000000', daysLeft: 3 },
   * });
   */
  create: manageOperation('createNotification', {
    method: 'POST',
    path: '/notification',
    summary: 'Register a URL for event notifications',
    credentials: 'paymaster',
    body: CreateNotificationRequestSchema,
    message: 'Notification created',
    data: NotificationSchema,
    repeatable: false,
    changes: 'notifications',
  }),
  /** The notification URLs of the paymaster, in the order they were registered. */
  list: readOperation('listNotifications', {
    path: '/notification',
    summary: 'List the notification URLs',
    credentials: 'paymaster',
    message: 'Notification list fetched',
    data: z.array(NotificationSchema),
  }),
  /** Changes the events of a URL, or activates or deactivates it. Pending messages of an inactive one wait until it is active. */
  update: manageOperation('updateNotification', {
    method: 'PATCH',
    path: '/notification',
    summary: 'Change a notification’s events or its active state',
    credentials: 'paymaster',
    body: UpdateNotificationRequestSchema,
    versioned: true,
    message: 'Notification updated',
    data: NotificationSchema,
    errors,
    repeatable: false,
    changes: 'notifications',
  }),
  /** Deletes a URL, its pending messages and its delivery log. */
  delete: manageOperation('deleteNotification', {
    method: 'DELETE',
    path: '/notification',
    summary: 'Delete a notification and its delivery log',
    credentials: 'paymaster',
    body: NotificationIdRequestSchema,
    message: 'Notification deleted',
    errors,
    repeatable: false,
    changes: 'notifications',
  }),
  /** The secret that signs the messages to a URL (Standard Webhooks, `whsec_…`). */
  readSecret: manageOperation('readNotificationSecret', {
    method: 'GET',
    path: '/notification/secret',
    summary: 'Read the secret that signs a notification’s messages',
    credentials: 'paymaster',
    query: NotificationIdQuerySchema,
    message: 'Notification secret fetched',
    data: NotificationSecretSchema,
    errors,
    repeatable: true,
  }),
  /** Replaces the secret that signs the messages to a URL. The previous one no longer signs anything. */
  rotateSecret: manageOperation('rotateNotificationSecret', {
    method: 'POST',
    path: '/notification/secret',
    summary: 'Replace the secret that signs a notification’s messages',
    credentials: 'paymaster',
    body: NotificationIdRequestSchema,
    message: 'Notification secret rotated',
    data: NotificationSecretSchema,
    errors,
    repeatable: false,
    changes: 'notifications',
  }),
  /** A page of sent and pending messages, newest first; `nextCursor` leads to the next one. */
  listDeliveries: readOperation('listNotificationDeliveries', {
    path: '/notification/deliveries',
    summary: 'List sent and pending messages',
    credentials: 'paymaster',
    query: ListNotificationDeliveriesQuerySchema,
    queryAs: 'filter',
    message: 'Notification deliveries fetched',
    data: NotificationDeliveryPageSchema,
    errors,
  }),
  /** Sends a message again under the same `webhook-id`, whatever its state, with a full set of attempts. */
  redeliver: manageOperation('redeliverNotification', {
    method: 'POST',
    path: '/notification/redeliver',
    summary: 'Send a message again',
    credentials: 'paymaster',
    body: RedeliverNotificationRequestSchema,
    message: 'Notification queued',
    data: NotificationDeliverySchema,
    errors,
    repeatable: false,
    changes: 'delivery',
  }),
  /** Sends a message of type `test`, also to an inactive URL. */
  test: manageOperation('sendTestNotification', {
    method: 'POST',
    path: '/notification/test',
    summary: 'Send a test message',
    credentials: 'paymaster',
    body: NotificationIdRequestSchema,
    message: 'Notification queued',
    data: NotificationDeliverySchema,
    errors,
    repeatable: false,
    changes: 'new delivery',
  }),
} as const;
