import { type CompiledQuery, type DatabaseConnection, DefaultQueryExecutor, type QueryExecutor } from 'kysely';
import { vi } from 'vitest';
import type { StatementRuns } from '../../../core/store/statements/fixed-statement.ts';
import type { TogetherConnection } from '../../../core/store/statements/run-together.ts';

/** A statement as it went to the driver, with the parameters of its first time. */
export type AskedQuery = { readonly sql: string; readonly parameters: readonly unknown[] };

/** What every executor has in common, of which a store has several: for reads, writes and each transaction. */
const common: QueryExecutor = DefaultQueryExecutor.prototype;

/** Every different statement that any store of this process asks until `stop`, by whichever connection. */
export function collectQueries(): { stop(): readonly AskedQuery[] } {
  const asked = new Map<string, AskedQuery>();
  const note = ({ sql, parameters }: AskedQuery) => {
    if (!asked.has(sql)) asked.set(sql, { sql, parameters });
  };
  const provide = common.provideConnection;
  const spy = vi.spyOn(common, 'provideConnection').mockImplementation(function (this: QueryExecutor, consumer) {
    return provide.call(this, (connection) => consumer(noting(connection, note))) as never;
  });
  return {
    stop: () => {
      spy.mockRestore();
      return [...asked.values()].filter(({ sql }) => /^\s*(select|insert|update|delete|with)\b/i.test(sql));
    },
  };
}

/** A connection that notes what it is asked; that of a transaction is the same object for each of its statements. */
function noting(connection: DatabaseConnection & Partial<TogetherConnection>, note: (query: AskedQuery) => void) {
  const { executeQuery, runTogether } = connection;
  return Object.assign(Object.create(connection) as DatabaseConnection & Partial<TogetherConnection>, {
    executeQuery: (query: CompiledQuery) => {
      note(query);
      return executeQuery.call(connection, query);
    },
    ...(runTogether && {
      runTogether: (statements: readonly StatementRuns[]) => {
        for (const { sql, runs } of statements) for (const parameters of runs) note({ sql, parameters });
        return runTogether.call(connection, statements);
      },
    }),
  });
}
