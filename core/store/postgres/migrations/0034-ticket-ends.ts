import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const ticketEnds: Migration = {
  version: 34,
  name: 'ticket-ends',
  sql: `
    ALTER TABLE limit_usage ADD COLUMN ends_at bigint CHECK (ends_at IS NULL OR ends_at >= 0);
    CREATE INDEX ticket_usage_by_end ON limit_usage (ends_at) WHERE substr(subject, 1, 7) = 'ticket:';
    CREATE TABLE forgotten_tickets (
      paymaster_id text COLLATE "C" PRIMARY KEY REFERENCES paymasters (paymaster_id),
      ended_until bigint NOT NULL CHECK (ended_until >= 0)
    );
  `,
};
