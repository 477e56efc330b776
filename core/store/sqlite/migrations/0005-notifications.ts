import type { Migration } from '../../migration.ts';

/**
 * Destinations of notifications, and one row for each message to one of them. What is pending is found by time (to send
 * it) and by destination (to bound it); the log by paymaster or destination, newest first, and without reading past all
 * that was delivered when something else is looked for.
 */
export const notifications: Migration = {
  version: 5,
  name: 'notifications',
  sql: `
    CREATE TABLE notifications (
      notification_number INTEGER PRIMARY KEY AUTOINCREMENT,
      notification_id TEXT NOT NULL UNIQUE CHECK (length(notification_id) = 36),
      paymaster_id TEXT NOT NULL REFERENCES paymasters (paymaster_id),
      url TEXT NOT NULL CHECK (length(url) > 0),
      events TEXT NOT NULL CHECK (json_valid(events)),
      tank_low_wei TEXT CHECK (length(tank_low_wei) = 40),
      tank_low_days INTEGER CHECK (tank_low_days > 0),
      tank_is_low INTEGER NOT NULL CHECK (tank_is_low IN (0, 1)),
      active INTEGER NOT NULL CHECK (active IN (0, 1)),
      secret_sealed BLOB NOT NULL,
      created_at INTEGER NOT NULL CHECK (created_at >= 0)
    ) STRICT;
    CREATE INDEX notifications_of_paymaster ON notifications (paymaster_id);
    CREATE INDEX notifications_with_tank_rule ON notifications (paymaster_id)
      WHERE tank_low_wei IS NOT NULL OR tank_low_days IS NOT NULL;
    CREATE TABLE notification_deliveries (
      delivery_number INTEGER PRIMARY KEY AUTOINCREMENT,
      delivery_id TEXT NOT NULL UNIQUE CHECK (length(delivery_id) = 36),
      notification_id TEXT NOT NULL REFERENCES notifications (notification_id) ON DELETE CASCADE,
      paymaster_id TEXT NOT NULL,
      type TEXT NOT NULL,
      payload TEXT NOT NULL CHECK (json_valid(payload)),
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      round INTEGER NOT NULL CHECK (round > 0),
      round_attempts INTEGER NOT NULL CHECK (round_attempts BETWEEN 0 AND attempts),
      next_attempt_at INTEGER CHECK (next_attempt_at IS NULL OR state = 'pending'),
      last_attempt_at INTEGER,
      last_status INTEGER,
      last_problem TEXT,
      created_at INTEGER NOT NULL CHECK (created_at >= 0)
    ) STRICT;
    CREATE INDEX deliveries_by_paymaster ON notification_deliveries (paymaster_id, delivery_number);
    CREATE INDEX deliveries_by_destination ON notification_deliveries (notification_id, delivery_number);
    CREATE INDEX undelivered_by_paymaster ON notification_deliveries (paymaster_id, state, delivery_number)
      WHERE state <> 'delivered';
    CREATE INDEX pending_by_time ON notification_deliveries (next_attempt_at, delivery_number, notification_id)
      WHERE state = 'pending';
    CREATE INDEX pending_by_destination ON notification_deliveries (notification_id, delivery_number)
      WHERE state = 'pending';
    CREATE TABLE webhook_notices (
      webhook_id TEXT PRIMARY KEY REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
      noticed_at INTEGER NOT NULL CHECK (noticed_at >= 0)
    ) STRICT, WITHOUT ROWID;
  `,
};
