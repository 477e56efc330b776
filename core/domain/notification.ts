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

/** What an account holder can be told about, in the order they are listed. */
export { notificationEvents };
export type NotificationEvent = (typeof notificationEvents)[number];

/** What a message can be about: an event, or a test that its owner has asked for. */
export { notificationTypes };
export type NotificationType = (typeof notificationTypes)[number];

/** When a gas tank is low: as soon as one of the two is no longer reached. At least one is there. */
export const TankLowRuleSchema = message('TankLowRule', {
  /** Of what is available, in wei. */
  thresholdWei: amount.exactOptional(),
  /** Of the days that is expected to last. */
  daysLeft: float.exactOptional(),
});
export type TankLowRule = z.output<typeof TankLowRuleSchema>;

/** A URL of the account holder that is notified of events of one paymaster. */
export const NotificationSchema = message('Notification', {
  notificationId: text,
  url: text,
  events: listOf(z.enum(notificationEvents)),
  /** Absent where none is set. */
  tankLow: TankLowRuleSchema.exactOptional(),
  /** For an inactive one nothing is queued, and what waits stays. */
  active: flag,
});
export type Notification = z.output<typeof NotificationSchema>;

export { deliveryStates };
/**
 * `pending`: to be sent, or sent again. `delivered`: answered with a 2xx status. `failed`: given up after the last
 * attempt. `dropped`: too many others were waiting.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** One message to one destination. Times in Unix seconds. */
export const NotificationDeliverySchema = message('NotificationDelivery', {
  /** UUID. With `msg_` in front, the `webhook-id` header of all attempts. */
  deliveryId: text,
  notificationId: text,
  /** The event, or `test`. */
  type: z.enum(notificationTypes),
  state: z.enum(deliveryStates),
  attempts: count,
  createdAt: seconds,
  /** Absent before the first attempt. */
  lastAttemptAt: seconds.exactOptional(),
  /** The HTTP status of the last attempt, where one came. */
  lastStatus: integer.exactOptional(),
  /** Why the last attempt did not succeed, as the end of a sentence. */
  lastProblem: text.exactOptional(),
  /** Of a pending one; absent while its destination is inactive. */
  nextAttemptAt: seconds.exactOptional(),
});
export type NotificationDelivery = z.output<typeof NotificationDeliverySchema>;

/** Which deliveries to list; all that are given must hold. */
export type DeliveryFilter = { readonly notificationId?: string; readonly state?: DeliveryState };

/** A page of deliveries. The fields of the filter travel among the others. */
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
  /** Leads to the next page. Absent on the last one. */
  nextCursor: text.exactOptional(),
});

/** The secret that signs the messages to a destination. */
export const NotificationSecretSchema = message('NotificationSecret', {
  /** Standard Webhooks form, `whsec_…`. */
  secret: text,
});
