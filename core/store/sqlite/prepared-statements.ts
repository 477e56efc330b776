import type BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

/** Most statements that a connection keeps: several times the number of the service's queries. */
const maxStatements = 500;

/** Total characters of their SQL. A compiled statement takes several times as many bytes. */
const maxCharacters = 1_000_000;

/**
 * Prepares statements and keeps the most recently used ones. Their number is unbounded, since a list of values makes another
 * SQL text for each length. A dropped statement is finalized when the garbage collector takes its object.
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
