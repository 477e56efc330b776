import { type CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import type { Database } from './database.ts';

/** A statement as text, for a connection without the store. */
export type CompiledStatement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** Compiles a query for one of the two databases, without a connection. */
export function compileStatement(
  database: 'sqlite' | 'postgres',
  build: (db: Kysely<Database>) => { compile(): CompiledQuery },
): CompiledStatement {
  const dialect =
    database === 'sqlite' ? new SqliteDialect({ database: noDatabase }) : new PostgresDialect({ pool: noDatabase });
  return build(new Kysely<Database>({ dialect })).compile();
}

function noDatabase(): Promise<never> {
  return Promise.reject(new Error('The statement is only compiled.'));
}
