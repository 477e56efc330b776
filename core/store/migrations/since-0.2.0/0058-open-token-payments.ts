import type { Migration } from '../migration.ts';

/** What was granted says what its user pays with, so that open operations of a sender count against its tokens together. */
export const openTokenPayments: Migration = {
  version: 58,
  name: 'open-token-payments',
  sql: ({ text }) => `
    ALTER TABLE grants ADD COLUMN token ${text};
    ALTER TABLE grants ADD COLUMN token_most ${text};
  `,
};
