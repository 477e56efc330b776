import type { Generated } from 'kysely';
import type { DeliveryState, NotificationType } from '../domain/notification.ts';

/** A destination. `events` is a JSON array of event names; `tank_low_wei` is wei text. */
type NotificationsTable = {
  notification_number: Generated<number>;
  notification_id: string;
  paymaster_id: string;
  url: string;
  events: string;
  tank_low_wei: string | null;
  tank_low_days: number | null;
  /** 1 after notifying that the tank is low, until it no longer is. */
  tank_is_low: 0 | 1;
  active: 0 | 1;
  secret_sealed: Uint8Array;
  created_at: number;
};

/** One message to one destination, and its outcome. `payload` is the exact body of the request. */
type NotificationDeliveriesTable = {
  delivery_number: Generated<number>;
  delivery_id: string;
  notification_id: string;
  paymaster_id: string;
  type: NotificationType;
  payload: string;
  state: DeliveryState;
  attempts: number;
  /** How often it was queued: once, plus once per requested redelivery. */
  round: number;
  /** Attempts of this round: the position in the schedule. */
  round_attempts: number;
  /** Unix seconds; null unless it is pending and its destination active. */
  next_attempt_at: number | null;
  last_attempt_at: number | null;
  last_status: number | null;
  last_problem: string | null;
  created_at: number;
};

/** When an account holder was last notified that a decision webhook fails. */
type WebhookNoticesTable = { webhook_id: string; noticed_at: number };

export type NotificationTables = {
  notifications: NotificationsTable;
  notification_deliveries: NotificationDeliveriesTable;
  webhook_notices: WebhookNoticesTable;
};
