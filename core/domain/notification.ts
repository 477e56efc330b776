import * as api from '@tollfree/contract/notification';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message } from '../base/message-schema.ts';

/** The events that an account holder can be notified of, in listing order. */
export const { notificationEvents } = api;
export type NotificationEvent = (typeof notificationEvents)[number];

/** Who takes the messages. */
export const { notificationTargets } = api;
export type NotificationTarget = (typeof notificationTargets)[number];

/** The type of a message: an event, or a test that its owner requested. */
export type NotificationType = (typeof api.notificationTypes)[number];

/** When a gas tank counts as low: as soon as one of the two thresholds is crossed. At least one is set. */
export const TankLowRuleSchema = message('TankLowRule', fieldsOfApi(api.TankLowSchema));
export type TankLowRule = z.output<typeof TankLowRuleSchema>;

/** A URL of the account holder that is notified of events of one paymaster. */
export const NotificationSchema = message(
  'Notification',
  fieldsOfApi(api.NotificationSchema, { tankLow: TankLowRuleSchema }),
);
export type Notification = z.output<typeof NotificationSchema>;

export const { deliveryStates } = api;
/**
 * `pending`: to be sent, or sent again. `delivered`: answered with a 2xx status. `failed`: given up after the last attempt.
 * `dropped`: too many others were waiting.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** One message to one destination. Times in Unix seconds. */
export const NotificationDeliverySchema = message('NotificationDelivery', fieldsOfApi(api.NotificationDeliverySchema));
export type NotificationDelivery = z.output<typeof NotificationDeliverySchema>;

/** A page of deliveries, newest first; `nextCursor` is absent on the last one. */
export const DeliveryPageSchema = message(
  'NotificationDeliveryPage',
  fieldsOfApi(api.NotificationDeliveryPageSchema, { deliveries: NotificationDeliverySchema }),
);

/** The secret that signs the messages to a destination. */
export const NotificationSecretSchema = message('NotificationSecret', fieldsOfApi(api.NotificationSecretSchema));
