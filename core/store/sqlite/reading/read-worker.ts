import { parentPort, workerData } from 'node:worker_threads';
import { openHandle } from '../open-handle.ts';
import { createPreparedStatements } from '../prepared-statements.ts';
import type { ReadAnswer, ReadQuestion } from './read-question.ts';

/** The entry of the reading thread: a connection that cannot write. Compiled to a separate file. */
const database = openHandle(workerData as string, { readonly: true });
const prepare = createPreparedStatements(database);

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
    const statement = prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) };
    statement.run(parameters);
    return { rows: [] };
  } catch (error) {
    const { message, code = '' } = error as Error & { readonly code?: string };
    return { message, code };
  }
}
