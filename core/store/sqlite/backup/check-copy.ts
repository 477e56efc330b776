import { statSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { cannotOpen, StoreError } from '../../store-error.ts';
import { checkSchema } from '../check-schema.ts';
import { openHandle } from '../open-handle.ts';

/** The content of a database copy. */
export type CopyFacts = {
  readonly bytes: number;
  readonly schemaVersion: number;
  /** Entries of gas tanks. */
  readonly entries: number;
  /** The newest block in the ledger of each watched chain. */
  readonly chains: readonly { readonly chainId: number; readonly block: number }[];
};

/**
 * Reads a whole copy and reports its content. `name` is used in errors.
 *
 * @throws StoreError when it is damaged, belongs to another program, or is newer than this one.
 */
export function checkCopy(file: string, name = file): CopyFacts {
  let copy: BetterSqlite3.Database | undefined;
  try {
    copy = openHandle(file, { readonly: true, fileMustExist: true });
    return { bytes: statSync(file).size, ...readFacts(copy, name) };
  } catch (cause) {
    throw cannotOpen(name, cause);
  } finally {
    copy?.close();
  }
}

function readFacts(copy: BetterSqlite3.Database, name: string): Omit<CopyFacts, 'bytes'> {
  const all = (sql: string) => copy.prepare(sql).all();
  const verdict = copy.prepare('PRAGMA integrity_check(1)').pluck().get();
  if (verdict !== 'ok') throw damaged(name);
  const schemaVersion = checkSchema(copy, name);
  if (schemaVersion === 0) throw new StoreError(`The file ${name} is empty. It contains no Tollfree database.`);
  if (all('PRAGMA foreign_key_check').length > 0) throw damaged(name);
  const tables = copy.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  // Earlier versions have neither of the two.
  const count = (table: string) => Number(copy.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  return {
    schemaVersion,
    entries: tables.includes('entries') ? count('entries') : 0,
    chains: tables.includes('contract_watches')
      ? (all(
          'SELECT chain_id AS chainId, max(next_block) - 1 AS block FROM contract_watches GROUP BY chain_id ORDER BY chain_id',
        ) as { chainId: number; block: number }[])
      : [],
  };
}

function damaged(name: string): StoreError {
  return new StoreError(`The database ${name} is damaged according to PRAGMA integrity_check. Use another copy.`);
}
