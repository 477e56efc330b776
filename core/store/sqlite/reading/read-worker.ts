import { parentPort, workerData } from 'node:worker_threads';
import { openHandle } from '../open-handle.ts';
import { createPreparedStatements } from '../prepared-statements.ts';
import type { ReadAnswer, ReadQuestion } from './read-question.ts';

// The entry of a reading thread, compiled to a separate file. A thread that is only asked to copy the log opens no more than that needs.

/** A connection that cannot write. */
let reading: ReturnType<typeof openHandle> | undefined;
let prepare: ReturnType<typeof createPreparedStatements> | undefined;
/** A connection that only copies what is committed. */
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
  reading?.close();
  parentPort?.close();
}

function answer({ sql, parameters }: ReadQuestion): ReadAnswer {
  try {
    reading ??= openHandle(workerData as string, { readonly: true });
    prepare ??= createPreparedStatements(reading);
    const statement = prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) };
    statement.run(parameters);
    return { rows: [] };
  } catch (error) {
    const { message, code = '' } = error as Error & { readonly code?: string };
    return { message, code };
  }
}
