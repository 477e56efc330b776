import type { Migration } from '../../migration.ts';
import { weiSum } from './wei-sum.ts';

/**
 * Sums that were made from all rows when they were asked for, kept in step with them: what a tank paid in each hour, and
 * what each sender and client has open at a tank. `limit_usage` says how far it has counted while it is counted in steps,
 * and whether it counts USD. A hold that ended keeps what limits had counted of it, for when its end is taken back.
 */
export const runningSums: Migration = {
  version: 13,
  name: 'running-sums',
  sql: `
    CREATE TABLE tank_spending (
      tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
      hour INTEGER NOT NULL CHECK (hour % 3600 = 0),
      spent TEXT NOT NULL CHECK (length(spent) = 40),
      PRIMARY KEY (tank_id, hour)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO tank_spending
      SELECT tank_id, created_at - created_at % 3600, ${weiSum('amount')} FROM entries
      WHERE kind = 'settle' AND reverses IS NULL
        AND NOT EXISTS (SELECT 1 FROM entries AS reversal WHERE reversal.reverses = entries.entry_id)
      GROUP BY 1, 2;
    CREATE TABLE open_holds (
      whose TEXT NOT NULL,
      tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
      count INTEGER NOT NULL CHECK (count > 0),
      amount TEXT NOT NULL CHECK (length(amount) = 40),
      PRIMARY KEY (whose, tank_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO open_holds
      SELECT sender || ':' || coalesce(client, ''), tank_id, count(*), ${weiSum('amount')} FROM holds
      WHERE state = 'live' GROUP BY 1, 2;
    INSERT INTO open_holds
      SELECT client, tank_id, count(*), ${weiSum('amount')} FROM holds
      WHERE state = 'live' AND client IS NOT NULL GROUP BY 1, 2;
    DROP INDEX live_holds_by_client;
    ALTER TABLE holds ADD COLUMN counted_held TEXT CHECK (length(counted_held) = 40);
    ALTER TABLE holds ADD COLUMN usd_held INTEGER CHECK (usd_held >= 0);
    CREATE INDEX counted_holds ON holds (paymaster_id, created_at) WHERE counted IS NOT NULL;
    ALTER TABLE limit_usage ADD COLUMN counts_usd INTEGER NOT NULL DEFAULT 1 CHECK (counts_usd IN (0, 1));
    ALTER TABLE limit_usage ADD COLUMN counted_until INTEGER;
    ALTER TABLE limit_usage ADD COLUMN counted_hold INTEGER CHECK ((counted_hold IS NULL) = (counted_until IS NULL));
    CREATE INDEX limit_usage_being_counted ON limit_usage (paymaster_id) WHERE counted_until IS NOT NULL;
    CREATE INDEX decisions_by_time ON decisions (paymaster_id, created_at, outcome, sender, token, hold_id);
  `,
};
