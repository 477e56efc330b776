import type BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

/** Statements a connection keeps: several times as many as the service has queries. */
const maxStatements = 500;

/** Characters of SQL they have together. A compiled statement takes several times as many bytes. */
const maxCharacters = 1_000_000;

/**
 * Prepares statements and keeps the ones used last, since their number has no bound: a list of values in a query makes
 * another text for each length. A statement that is dropped is finalised when the garbage collector takes its object.
 */
export function createPreparedStatements(
  database: Pick<BetterSqlite3.Database, 'prepare'>,
): (sql: string) => BetterSqlite3.Statement {
  const statements = new LRUCache<string, BetterSqlite3.Statement>({
    max: maxStatements,
    maxSize: maxCharacters,
    sizeCalculation: (_, sql) => sql.length,
  });
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}
