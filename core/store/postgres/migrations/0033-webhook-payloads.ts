import type { Migration } from '../../migration.ts';

/** What the migration of this number does to the file of SQLite. */
export const webhookPayloads: Migration = {
  version: 33,
  name: 'webhook-payloads',
  sql: `
    ALTER TABLE webhooks ADD COLUMN payload text COLLATE "C" NOT NULL DEFAULT 'DATA' CHECK (payload IN ('DATA', 'OPERATION'));
    ALTER TABLE webhook_answers ADD COLUMN payload text COLLATE "C" NOT NULL DEFAULT 'DATA'
      CHECK (payload IN ('DATA', 'OPERATION'));
  `,
};
