import { DefaultQueryExecutor, type QueryExecutor } from 'kysely';
import { vi } from 'vitest';

/** A statement as it went to the driver, with the parameters of its first time. */
export type AskedQuery = { readonly sql: string; readonly parameters: readonly unknown[] };

/** What every executor has in common, of which a store has several: for reads, writes and each transaction. */
const common = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as QueryExecutor;

/** Every different statement that any store of this process asks until `stop`, by whichever connection. */
export function collectQueries(): { stop(): readonly AskedQuery[] } {
  const asked = new Map<string, AskedQuery>();
  const execute = common.executeQuery;
  const spy = vi.spyOn(common, 'executeQuery').mockImplementation(function (this: QueryExecutor, query, ...rest) {
    if (!asked.has(query.sql)) asked.set(query.sql, { sql: query.sql, parameters: query.parameters });
    return execute.call(this, query, ...rest) as never;
  });
  return {
    stop: () => {
      spy.mockRestore();
      return [...asked.values()].filter(({ sql }) => /^\s*(select|insert|update|delete|with)\b/i.test(sql));
    },
  };
}
