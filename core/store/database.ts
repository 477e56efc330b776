import type { Generated } from 'kysely';
import type { DeliveryState, NotificationTarget, NotificationType } from '../domain/notification.ts';
import type { UsageSumDimension } from '../domain/usage.ts';
import type { DecisionTables } from './decision-tables.ts';
import type { LedgerTables } from './ledger-tables.ts';
import type { ManagementTables } from './management-tables.ts';

/** Totals of a paymaster's decisions on a UTC day, for one key of one dimension. Includes pruned decisions. */
type UsageSumsTable = {
  paymaster_id: string;
  dimension: UsageSumDimension;
  /** Unix seconds: start of a UTC day. */
  day: number;
  /** Empty for the dimension of days; for that of costs the row's highest, in millionths of a USD. */
  key: string;
  signed: number;
  quoted: number;
  stub: number;
  refused: number;
  /** Landed operations, and their cost to the tank: wei text. */
  landed: number;
  charge: string;
  /** The part of `charge` that users paid in tokens: wei text. */
  users_paid: Generated<string>;
  /** Landed operations with known worth, and the sum in millionths of a USD. */
  priced: number;
  usd_micros: number;
  /** For the dimension of days: how many keys of callers' choice the day has, in all dimensions together. */
  chosen_keys: Generated<number>;
};

type UsageTables = { usage_sums: UsageSumsTable };

/** A destination. `events` is a JSON array of event names; `tank_low_wei` is wei text. */
type NotificationsTable = {
  notification_number: Generated<number>;
  notification_id: string;
  paymaster_id: string;
  target: Generated<NotificationTarget>;
  /** Of a target other than `WEBHOOK` only the origin. */
  url: string;
  recipient: Generated<string | null>;
  events: string;
  tank_low_wei: string | null;
  tank_low_days: number | null;
  /** 1 after notifying that the tank is low, until it no longer is. */
  tank_is_low: 0 | 1;
  active: 0 | 1;
  /** What signs the messages; of a target other than `WEBHOOK` its address as JSON. */
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

type NotificationTables = {
  notifications: NotificationsTable;
  notification_deliveries: NotificationDeliveriesTable;
  webhook_notices: WebhookNoticesTable;
};

/**
 * The keyed digest of each master key that may have sealed data. All of them are required at startup. `seals` is 1 for the
 * one that seals.
 */
type MasterKeysTable = { digest: string; seals: Generated<0 | 1> };

/**
 * The key for authToken digests derived from a former master key. Tokens are not stored, so their digests cannot be
 * recomputed with another key.
 */
type RetiredDigestKeysTable = { master_key: string; key_sealed: Uint8Array };

/**
 * Which key signed for a paymaster contract, in Unix seconds; `until` is null for the current one. Addresses are
 * checksummed.
 */
type ContractSignersTable = {
  chain_id: number;
  contract: string;
  signer: string;
  since: number;
  until: number | null;
};

/** A temporary row, which proves that the database accepts writes. */
type WriteProbeTable = { probe: 1; filler: Uint8Array };

type KeyTables = {
  write_probe: WriteProbeTable;
  master_keys: MasterKeysTable;
  retired_digest_keys: RetiredDigestKeysTable;
  contract_signers: ContractSignersTable;
};

/** All tables. Times are Unix seconds; truth values are 0 and 1. */
export type Database = ManagementTables & KeyTables & LedgerTables & DecisionTables & NotificationTables & UsageTables;
