import { parentPort, workerData } from 'node:worker_threads';
import { openHandle } from '../open-handle.ts';
import { createPreparedStatements } from '../prepared-statements.ts';
import type { ReadAnswer, ReadQuestion } from './read-question.ts';

/** The entry of the reading thread: a connection that cannot write. Compiled to a separate file. */
const database = openHandle(workerData as string, { readonly: true });
const prepare = createPreparedStatements(database);
/** A connection of its own, which only copies what is committed. Opened for the first copy. */
let checkpointing: ReturnType<typeof openHandle> | undefined;

parentPort?.on('message', (question: ReadQuestion | 'checkpoint' | 'close') => {
  if (question === 'checkpoint') checkpoint();
  else if (question === 'close') close();
  else parentPort?.postMessage(answer(question));
});

/** Copies what no reader stands in the way of. If that fails, the log grows until a commit fails, which says so. */
function checkpoint(): void {
  try {
    checkpointing ??= openHandle(workerData as string, { fileMustExist: true });
    checkpointing.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {}
}

function close(): void {
  checkpointing?.close();
  database.close();
  parentPort?.close();
}

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
