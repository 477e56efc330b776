import type { Migration } from '../../../migration.ts';

/**
 * Until when a ticket is good whose uses or budget are counted, so that its count can go once it has ended; and of each
 * paymaster the latest end of those whose counts have gone: no ticket that has ended by then is taken again.
 */
export const ticketEnds: Migration = {
  version: 34,
  name: 'ticket-ends',
  sql: `
    ALTER TABLE limit_usage ADD COLUMN ends_at INTEGER CHECK (ends_at IS NULL OR ends_at >= 0);
    CREATE INDEX ticket_usage_by_end ON limit_usage (ends_at) WHERE substr(subject, 1, 7) = 'ticket:';
    CREATE TABLE forgotten_tickets (
      paymaster_id TEXT PRIMARY KEY REFERENCES paymasters (paymaster_id),
      ended_until INTEGER NOT NULL CHECK (ended_until >= 0)
    ) STRICT;
  `,
};
