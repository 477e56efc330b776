import { notificationOperations as api } from '@tollfree/contract/notification-routes';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { z } from 'zod';
import { listMessage, request, text, travelsAs } from '../../base/message-schema.ts';
import {
  DeliveryPageSchema,
  deliveryStates,
  NotificationDeliverySchema,
  NotificationSchema,
  NotificationSecretSchema,
  notificationTargets,
  TankLowRuleSchema,
} from '../notification.ts';
import { type CoreMethods, inputFields, inputOf } from './core-methods.ts';

/** A page of deliveries. The fields of the filter are sent among the others. */
const deliveriesForm = inputOf(api.listDeliveries, { state: z.enum(deliveryStates) });
type DeliveriesForm = z.output<typeof deliveriesForm>;
type DeliveriesRequest = Omit<DeliveriesForm, 'notificationId' | 'state'> & {
  readonly filter: Pick<DeliveriesForm, 'notificationId' | 'state'>;
};
const deliveriesRequest = travelsAs<DeliveriesRequest, typeof deliveriesForm>(
  deliveriesForm,
  ({ filter, ...input }) => ({ ...input, ...filter }),
  ({ notificationId, state, ...input }) => ({ ...input, filter: omitAbsent({ notificationId, state }) }),
);

/** Destinations that are notified about a paymaster's events. */
export const notificationOperations = {
  /**
   * Registers who is notified about events of the paymaster, active at once: a server, or a service for people; `events` are those of `notificationEvents`.
   * `INVALID_FIELD` for anything else, also for `tank.low` without `tankLow`.
   */
  createNotification: {
    input: request({
      ...inputFields(api.create, { tankLow: TankLowRuleSchema, target: z.enum(notificationTargets) }),
      /** The URL to call; empty for the target's own. */
      url: text.default(''),
    }),
    value: NotificationSchema,
  },
  /** Lists the notification URLs. */
  listNotifications: {
    input: inputOf(api.list),
    value: listMessage('NotificationList', 'notifications', NotificationSchema),
  },
  /** Changes the given fields. A new `tankLow` notifies again if the tank is low by it. */
  updateNotification: {
    input: request({
      ...inputFields(api.update, { tankLow: TankLowRuleSchema }),
      events: listMessage('NotificationEventList', 'events', text).exactOptional(),
    }),
    value: NotificationSchema,
  },
  /** Deletes the destination and its log. */
  deleteNotification: { input: inputOf(api.delete), value: NotificationSchema },
  /** The secret that signs this destination's messages (Standard Webhooks form, `whsec_…`). */
  readNotificationSecret: { input: inputOf(api.readSecret), value: NotificationSecretSchema },
  /** Replaces that secret. */
  rotateNotificationSecret: { input: inputOf(api.rotateSecret), value: NotificationSecretSchema },
  /** Sent and pending messages, newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listNotificationDeliveries: { input: deliveriesRequest, value: DeliveryPageSchema },
  /** Sends a message again, in any state, with the full retry schedule. */
  redeliverNotification: { input: inputOf(api.redeliver), value: NotificationDeliverySchema },
  /** Sends a message of type `test`, also to an inactive destination. */
  sendTestNotification: { input: inputOf(api.test), value: NotificationDeliverySchema },
} as const satisfies CoreMethods;
