import { CompiledQuery, type DatabaseConnection, type Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Statement, StatementRuns } from './fixed-statement.ts';

/** A connection that runs statements in order and waits once for all of them. */
export type TogetherConnection = DatabaseConnection & {
  /** The rows of each statement, merged over its runs. */
  runTogether(statements: readonly StatementRuns[]): Promise<readonly (readonly unknown[])[]>;
};

/** Runs fixed statements in order and in one round trip. Returns the rows of each. */
export function runTogether<Rows extends readonly unknown[]>(
  db: Kysely<Database>,
  ...statements: { readonly [Index in keyof Rows]: Statement<Rows[Index]> }
): Promise<{ readonly [Index in keyof Rows]: readonly Rows[Index][] }> {
  const runs = statements.map((statement) => statement.for(db));
  return db.getExecutor().provideConnection(async (connection) => {
    const rows = isTogether(connection) ? await connection.runTogether(runs) : await runInTurn(connection, runs);
    // The row types are those that the statements were built with.
    return rows as { readonly [Index in keyof Rows]: readonly Rows[Index][] };
  });
}

/** Runs lists of fixed statements that read, in one round trip. Returns the rows of each statement of each list. */
export async function readAllOf<Rows extends readonly unknown[]>(
  db: Kysely<Database>,
  ...lists: { readonly [Index in keyof Rows]: readonly Statement<Rows[Index]>[] }
): Promise<{ readonly [Index in keyof Rows]: readonly (readonly Rows[Index][])[] }> {
  const rows = await runTogether<readonly unknown[]>(
    db,
    ...(lists as readonly (readonly Statement<unknown>[])[]).flat(),
  );
  let next = 0;
  const ofLists = lists.map((list) => {
    next += list.length;
    return rows.slice(next - list.length, next);
  });
  // The row types are those of each list's statements, in their order.
  return ofLists as unknown as { readonly [Index in keyof Rows]: readonly (readonly Rows[Index][])[] };
}

function isTogether(connection: DatabaseConnection): connection is TogetherConnection {
  return 'runTogether' in connection;
}

/** For connections that only read. */
async function runInTurn(
  connection: DatabaseConnection,
  statements: readonly StatementRuns[],
): Promise<readonly (readonly unknown[])[]> {
  const answers: unknown[][] = [];
  for (const { sql, runs } of statements) {
    const rows: unknown[] = [];
    for (const parameters of runs) {
      rows.push(...(await connection.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows);
    }
    answers.push(rows);
  }
  return answers;
}
