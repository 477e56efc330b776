import type { Migration } from '../../migration.ts';

/** Which of the master keys seals: with several processes at a database they change one after the other. */
export const sealingKey: Migration = {
  version: 23,
  name: 'sealing-key',
  sql: `
    ALTER TABLE master_keys ADD COLUMN seals INTEGER NOT NULL DEFAULT 1 CHECK (seals IN (0, 1));
  `,
};
