import type { Migration } from '../migration.ts';

/** Which methods of a contract have run code of the caller's choice, with the decision whose operation showed it: JSON, by selector. */
export const calledBack: Migration = {
  version: 60,
  name: 'called-back',
  sql: ({ text }) => `ALTER TABLE contracts ADD COLUMN called_back ${text} NOT NULL DEFAULT '{}';`,
};
