import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  type ListNotificationDeliveriesRequest,
  ListNotificationDeliveriesRequestSchema,
  NotificationDeliveryPageSchema,
  NotificationDeliverySchema,
  NotificationEventListSchema,
  NotificationListSchema,
  NotificationSchema,
  NotificationSecretSchema,
  TankLowRuleSchema,
} from '../../../proto/gen/tollfree/core/v1/notification_pb.ts';
import type { Owned } from '../../domain/access/owned.ts';
import {
  type DeliveryFilter,
  type DeliveryPage,
  deliveryStates,
  type Notification,
  type NotificationDelivery,
  notificationEvents,
  notificationTypes,
  type TankLowRule,
} from '../../domain/notification.ts';
import { adapted } from '../codec/adapted.ts';
import type { Codec } from '../codec/codec.ts';
import { count } from '../codec/count.ts';
import { decimal } from '../codec/decimal.ts';
import { listOf, texts } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';

export const tankLowRule = messageOf<TankLowRule>()(TankLowRuleSchema, { thresholdWei: decimal });
export const notification = messageOf<Notification>()(NotificationSchema, {
  events: listOf(oneOf(notificationEvents)),
  tankLow: tankLowRule,
});
export const notifications = soleField(NotificationListSchema, listOf(notification));
export const notificationSecret = messageOf<{ secret: string }>()(NotificationSecretSchema);

/** Events as they were asked for: whether there are such is for the core to say. */
export const notificationEventList = soleField(NotificationEventListSchema, texts);

export const notificationDelivery = messageOf<NotificationDelivery>()(NotificationDeliverySchema, {
  type: oneOf(notificationTypes),
  state: oneOf(deliveryStates),
  attempts: count,
  createdAt: seconds,
  lastAttemptAt: seconds,
  nextAttemptAt: seconds,
});
export const notificationDeliveryPage = messageOf<DeliveryPage>()(NotificationDeliveryPageSchema, {
  deliveries: listOf(notificationDelivery),
});

type Page = { readonly cursor?: string; readonly limit?: number };
/** The filter's fields stand among the others on the wire. */
export const deliveriesRequest: Codec<
  Owned & Page & { readonly filter: DeliveryFilter },
  ListNotificationDeliveriesRequest
> = adapted(
  messageOf<Owned & Page & DeliveryFilter>()(ListNotificationDeliveriesRequestSchema, { state: oneOf(deliveryStates) }),
  ({ filter, ...input }) => ({ ...input, ...filter }),
  ({ notificationId, state, ...input }) => ({ ...input, filter: omitAbsent({ notificationId, state }) }),
);
