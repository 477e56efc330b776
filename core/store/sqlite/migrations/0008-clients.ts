import type { Migration } from '../../migration.ts';

/** Who asked for a live hold, as a keyed digest of its address, so that what one address has open can be capped; and live holds by their ids. */
export const clients: Migration = {
  version: 8,
  name: 'clients',
  sql: `
    ALTER TABLE holds ADD COLUMN client TEXT CHECK (client IS NULL OR state = 'live');
    CREATE INDEX live_holds ON holds (hold_id) WHERE state = 'live';
    CREATE INDEX live_holds_by_client ON holds (client) WHERE state = 'live' AND client IS NOT NULL;
  `,
};
