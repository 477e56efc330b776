import { parentPort } from 'node:worker_threads';
import { openHandle } from '../open-handle.ts';
import { createPreparedStatements } from '../prepared-statements.ts';
import type { ReadAnswer, ReadBeginning, ReadQuestion } from './read-question.ts';

// The entry of a reading thread, compiled to a separate file. A thread that is only asked to copy the log opens no more than that needs.

/** Of the database that the thread is for. Another one's follows when this one is closed. */
let file = '';
/** A connection that cannot write. */
let reading: ReturnType<typeof openHandle> | undefined;
let prepare: ReturnType<typeof createPreparedStatements> | undefined;
/** A connection that only copies what is committed. */
let checkpointing: ReturnType<typeof openHandle> | undefined;

parentPort?.on('message', (asked: ReadBeginning | ReadQuestion | 'checkpoint' | 'close') => {
  if (asked === 'checkpoint') checkpoint();
  else if (asked === 'close') parentPort?.postMessage(close());
  else if ('file' in asked) file = asked.file;
  else parentPort?.postMessage(answer(asked));
});

/** Copies what no reader stands in the way of. If that fails, the log grows until a commit fails, which says so. */
function checkpoint(): void {
  try {
    checkpointing ??= openHandle(file, { fileMustExist: true });
    checkpointing.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {}
}

function close(): ReadAnswer {
  checkpointing?.close();
  reading?.close();
  checkpointing = undefined;
  reading = undefined;
  prepare = undefined;
  return { rows: [] };
}

function answer({ sql, parameters }: ReadQuestion): ReadAnswer {
  try {
    reading ??= openHandle(file, { readonly: true });
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
