import { deliveryStates, notificationEvents, notificationTypes } from '@tollfree/contract/notification';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { z } from 'zod';
import {
  amount,
  count,
  flag,
  float,
  integer,
  listOf,
  message,
  request,
  seconds,
  text,
  travelsAs,
} from '../base/message-schema.ts';
import { owned } from './access/actor.ts';

/** The events that an account holder can be notified of, in listing order. */
export { notificationEvents };
export type NotificationEvent = (typeof notificationEvents)[number];

/** The type of a message: an event, or a test that its owner requested. */
export { notificationTypes };
export type NotificationType = (typeof notificationTypes)[number];

/** When a gas tank counts as low: as soon as one of the two thresholds is crossed. At least one is set. */
export const TankLowRuleSchema = message('TankLowRule', {
  /** For what is available, in wei. */
  thresholdWei: amount.exactOptional(),
  /** For the days that it is expected to last. */
  daysLeft: float.exactOptional(),
});
export type TankLowRule = z.output<typeof TankLowRuleSchema>;

/** A URL of the account holder that is notified of events of one paymaster. */
export const NotificationSchema = message('Notification', {
  notificationId: text,
  url: text,
  events: listOf(z.enum(notificationEvents)),
  /** Absent if none is set. */
  tankLow: TankLowRuleSchema.exactOptional(),
  /** While inactive, nothing is queued, and waiting messages stay. */
  active: flag,
});
export type Notification = z.output<typeof NotificationSchema>;

export { deliveryStates };
/**
 * `pending`: to be sent, or sent again. `delivered`: answered with a 2xx status. `failed`: given up after the last attempt.
 * `dropped`: too many others were waiting.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** One message to one destination. Times in Unix seconds. */
export const NotificationDeliverySchema = message('NotificationDelivery', {
  /** UUID. Prefixed with `msg_`, it is the `webhook-id` header of all attempts. */
  deliveryId: text,
  notificationId: text,
  /** The event, or `test`. */
  type: z.enum(notificationTypes),
  state: z.enum(deliveryStates),
  attempts: count,
  createdAt: seconds,
  /** Absent before the first attempt. */
  lastAttemptAt: seconds.exactOptional(),
  /** The HTTP status of the last attempt, if it received one. */
  lastStatus: integer.exactOptional(),
  /** Why the last attempt did not succeed, as the end of a sentence. */
  lastProblem: text.exactOptional(),
  /** For a pending one; absent while its destination is inactive. */
  nextAttemptAt: seconds.exactOptional(),
});
export type NotificationDelivery = z.output<typeof NotificationDeliverySchema>;

/** Which deliveries to list; all given conditions must hold. */
export type DeliveryFilter = { readonly notificationId?: string; readonly state?: DeliveryState };

/** A page of deliveries. The fields of the filter are sent among the others. */
const DeliveriesFormSchema = request({
  ...owned,
  notificationId: text.exactOptional(),
  state: z.enum(deliveryStates).exactOptional(),
  cursor: text.exactOptional(),
  limit: integer.exactOptional(),
});
type DeliveriesForm = z.output<typeof DeliveriesFormSchema>;
type DeliveriesRequest = Omit<DeliveriesForm, keyof DeliveryFilter> & { readonly filter: DeliveryFilter };
export const DeliveriesRequestSchema = travelsAs<DeliveriesRequest, typeof DeliveriesFormSchema>(
  DeliveriesFormSchema,
  ({ filter, ...input }) => ({ ...input, ...filter }),
  ({ notificationId, state, ...input }) => ({ ...input, filter: omitAbsent({ notificationId, state }) }),
);

/** A page of deliveries, newest first; `nextCursor` is absent on the last one. */
export const DeliveryPageSchema = message('NotificationDeliveryPage', {
  deliveries: listOf(NotificationDeliverySchema),
  /** Cursor of the next page. Absent on the last one. */
  nextCursor: text.exactOptional(),
});

/** The secret that signs the messages to a destination. */
export const NotificationSecretSchema = message('NotificationSecret', {
  /** Standard Webhooks form, `whsec_…`. */
  secret: text,
});
