import { parentPort, workerData } from 'node:worker_threads';
import type BetterSqlite3 from 'better-sqlite3';
import { openHandle } from '../open-handle.ts';
import type { ReadAnswer, ReadQuestion } from './read-question.ts';

/**
 * The entry of the reading thread: a connection that cannot write, with a statement for each different text. It is compiled
 * to a file of its own.
 */
const database = openHandle(workerData as string, { readonly: true });
const statements = new Map<string, BetterSqlite3.Statement>();

parentPort?.on('message', (question: ReadQuestion | 'close') => {
  if (question !== 'close') {
    parentPort?.postMessage(answer(question));
    return;
  }
  database.close();
  parentPort?.close();
});

function answer({ sql, parameters }: ReadQuestion): ReadAnswer {
  try {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    if (statement.reader) return { rows: statement.all(parameters) };
    statement.run(parameters);
    return { rows: [] };
  } catch (error) {
    const { message, code = '' } = error as Error & { readonly code?: string };
    return { message, code };
  }
}
