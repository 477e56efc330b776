import { deliveryStates, notificationEvents, notificationTypes } from '@tollfree/contract/notification';

/** What an account holder can be told about, in the order they are listed. */
export { notificationEvents };
export type NotificationEvent = (typeof notificationEvents)[number];

/** What a message can be about: an event, or a test that its owner has asked for. */
export { notificationTypes };
export type NotificationType = (typeof notificationTypes)[number];

/** When a gas tank is low: as soon as one of the two is no longer reached. At least one is there. */
export type TankLowRule = {
  /** Of what is available, in wei. */
  readonly thresholdWei?: bigint;
  /** Of the days that is expected to last. */
  readonly daysLeft?: number;
};

/** A URL of the account holder that is told about events of one paymaster. */
export type Notification = {
  readonly notificationId: string;
  readonly url: string;
  readonly events: readonly NotificationEvent[];
  readonly tankLow?: TankLowRule;
  /** For an inactive one nothing is queued, and what waits stays. */
  readonly active: boolean;
};

export { deliveryStates };
/**
 * `pending`: to be sent, or sent again. `delivered`: answered with a 2xx status. `failed`: given up after the last
 * attempt. `dropped`: too many others were waiting.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** One message to one destination. Times in Unix seconds. */
export type NotificationDelivery = {
  /** With `msg_` in front, the `webhook-id` header of all its attempts. */
  readonly deliveryId: string;
  readonly notificationId: string;
  readonly type: NotificationType;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAt: number;
  readonly lastAttemptAt?: number;
  /** The HTTP status of the last attempt, where one came. */
  readonly lastStatus?: number;
  /** Why the last attempt did not succeed, as the end of a sentence. */
  readonly lastProblem?: string;
  /** Of a pending one; absent while its destination is inactive. */
  readonly nextAttemptAt?: number;
};

/** Which deliveries to list; all that are given must hold. */
export type DeliveryFilter = { readonly notificationId?: string; readonly state?: DeliveryState };

/** A page of deliveries, newest first; `nextCursor` is absent on the last one. */
export type DeliveryPage = { readonly deliveries: readonly NotificationDelivery[]; readonly nextCursor?: string };
