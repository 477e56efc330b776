import type { Migration } from '../migration.ts';
import { accountsTables } from './accounts.ts';
import { chainsTables } from './chains.ts';
import { decisionsTables } from './decisions.ts';
import { ledgerTables } from './ledger.ts';
import { paymastersTables } from './paymasters.ts';

/** The error of PostgreSQL triggers that refuse a change. */
const refuseChange = `
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END
    $$;`;

/** All tables, for an empty database. */
export const baseline: Migration = {
  version: 82,
  name: 'baseline',
  sql: (words) =>
    [
      words.either({ sqlite: '', postgres: refuseChange }),
      accountsTables(words),
      paymastersTables(words),
      ledgerTables(words),
      chainsTables(words),
      decisionsTables(words),
    ].join('\n'),
};
