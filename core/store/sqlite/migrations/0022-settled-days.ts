import type { Migration } from '../../migration.ts';
import { weiSum } from './wei-sum.ts';

/**
 * What a tank paid for the operations of each paymaster on each UTC day, kept in step with the entries, so that a statement adds
 * up days. `back` is 1 for what was taken back that day. The paymaster is empty where no hold explains the operation.
 */
export const settledDays: Migration = {
  version: 22,
  name: 'settled-days',
  sql: `
    CREATE TABLE settled_days (
      tank_id INTEGER NOT NULL REFERENCES tanks (tank_id),
      day INTEGER NOT NULL CHECK (day % 86400 = 0),
      paymaster_id TEXT NOT NULL,
      back INTEGER NOT NULL CHECK (back IN (0, 1)),
      operations INTEGER NOT NULL CHECK (operations > 0),
      wei TEXT NOT NULL CHECK (length(wei) = 40),
      priced INTEGER NOT NULL CHECK (priced BETWEEN 0 AND operations),
      usd_micros INTEGER NOT NULL CHECK (usd_micros >= 0),
      PRIMARY KEY (tank_id, day, paymaster_id, back)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO settled_days
      SELECT entries.tank_id, entries.created_at - entries.created_at % 86400, coalesce(holds.paymaster_id, ''),
        entries.reverses IS NOT NULL, count(*), ${weiSum('entries.amount')}, count(entries.usd_micros),
        coalesce(sum(entries.usd_micros), 0)
      FROM entries LEFT JOIN holds ON holds.hold_id = entries.hold_id WHERE entries.kind = 'settle' GROUP BY 1, 2, 3, 4;
  `,
};
