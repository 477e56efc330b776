import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const settledDays: Migration = {
  version: 22,
  name: 'settled-days',
  sql: `
    CREATE TABLE settled_days (
      tank_id bigint NOT NULL REFERENCES tanks (tank_id),
      day bigint NOT NULL CHECK (day % 86400 = 0),
      paymaster_id text COLLATE "C" NOT NULL,
      back bigint NOT NULL CHECK (back IN (0, 1)),
      operations bigint NOT NULL CHECK (operations > 0),
      wei text COLLATE "C" NOT NULL CHECK (length(wei) = 40),
      priced bigint NOT NULL CHECK (priced BETWEEN 0 AND operations),
      usd_micros bigint NOT NULL CHECK (usd_micros >= 0),
      PRIMARY KEY (tank_id, day, paymaster_id, back)
    );
    INSERT INTO settled_days
      SELECT entries.tank_id, entries.created_at - entries.created_at % 86400, coalesce(holds.paymaster_id, ''),
        (entries.reverses IS NOT NULL)::int, count(*), lpad(sum(entries.amount::numeric)::text, 40, '0'),
        count(entries.usd_micros), coalesce(sum(entries.usd_micros), 0)::bigint
      FROM entries LEFT JOIN holds ON holds.hold_id = entries.hold_id WHERE entries.kind = 'settle' GROUP BY 1, 2, 3, 4;
  `,
};
