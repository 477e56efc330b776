import type { Migration } from '../../../migration.ts';

/**
 * What users pay of the gas in tokens: in percent of a hold and of a quote, in wei of what landed. What landed before is not looked
 * up again, and counts as sponsored. Which holds are of signatures that last longer than others.
 */
export const shares: Migration = {
  version: 46,
  name: 'shares',
  sql: `
    ALTER TABLE holds ADD COLUMN user_percent INTEGER CHECK (user_percent BETWEEN 1 AND 99);
    ALTER TABLE holds ADD COLUMN users_paid TEXT CHECK (length(users_paid) = 40);
    ALTER TABLE holds ADD COLUMN lasts_long INTEGER NOT NULL DEFAULT 0 CHECK (lasts_long IN (0, 1));
    ALTER TABLE settled_days ADD COLUMN users_paid TEXT NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(users_paid) = 40);
    ALTER TABLE usage_sums ADD COLUMN users_paid TEXT NOT NULL DEFAULT '${'0'.repeat(40)}' CHECK (length(users_paid) = 40);
    ALTER TABLE quotes ADD COLUMN user_percent INTEGER NOT NULL DEFAULT 100 CHECK (user_percent BETWEEN 1 AND 100);
  `,
};
