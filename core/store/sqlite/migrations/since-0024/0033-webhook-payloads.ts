import type { Migration } from '../../../migration.ts';

/** What webhooks are told: as before the data of the caller alone, or the operation too. Of each answer which it was. */
export const webhookPayloads: Migration = {
  version: 33,
  name: 'webhook-payloads',
  sql: `
    ALTER TABLE webhooks ADD COLUMN payload TEXT NOT NULL DEFAULT 'DATA' CHECK (payload IN ('DATA', 'OPERATION'));
    ALTER TABLE webhook_answers ADD COLUMN payload TEXT NOT NULL DEFAULT 'DATA'
      CHECK (payload IN ('DATA', 'OPERATION'));
  `,
};
