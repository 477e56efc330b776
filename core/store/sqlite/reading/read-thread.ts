import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ReadAnswer, ReadQuestion } from './read-question.ts';

/**
 * A thread that reads a database, or copies its log, with its own connections. Started when it is needed first. After `close` the
 * process keeps it, without connections, for the next database that it opens.
 */
export type ReadThread = {
  /** One at a time: each question waits for the previous answer. */
  ask(question: ReadQuestion): Promise<readonly unknown[]>;
  /**
   * Leaves the question under way unanswered: a thread cannot be interrupted in a statement. Resolves when it has ended. Another one
   * answers the next question.
   */
  abandon(): Promise<void>;
  /** Has it copy what is in the write-ahead log to the database file. Returns at once. */
  checkpoint(): void;
  close(): Promise<void>;
};

/** Compiled, the entry is in the same folder, under the same name. */
const isCompiled = !import.meta.url.endsWith('.ts');

/** Threads of databases that are closed. To start one takes longer than most readings. */
const idle: Worker[] = [];
/** A process has one database open, and during a backup or a move another one. */
const maxIdle = 4;

export function createReadThread(file: string): ReadThread {
  let worker: Worker | undefined;
  let isClosed = false;

  // It only ends by itself after an error; the next question begins with another one.
  const forget = () => {
    worker = undefined;
  };

  function begin(): Worker {
    const begun = idle.pop() ?? startWorker();
    begun.postMessage({ file });
    return begun.once('exit', forget).once('error', forget);
  }

  function leave(): Worker | undefined {
    const left = worker;
    worker = undefined;
    return left?.off('exit', forget).off('error', forget);
  }

  return {
    ask: async (question) => {
      worker ??= begin();
      const answer = await answerOf(worker, question);
      if ('rows' in answer) return answer.rows;
      throw Object.assign(new Error(answer.message), { name: 'SqliteError', code: answer.code });
    },
    abandon: async () => {
      await leave()?.terminate();
    },
    checkpoint: () => {
      if (isClosed) return;
      worker ??= begin();
      worker.postMessage('checkpoint');
    },
    close: async () => {
      isClosed = true;
      const last = leave();
      if (last === undefined) return;
      await answerOf(last, 'close');
      if (idle.length < maxIdle) idle.push(last);
      else await last.terminate();
    },
  };
}

function startWorker(): Worker {
  const started = isCompiled
    ? new Worker(new URL('./read-worker.js', import.meta.url), { execArgv: [] })
    : new Worker(runSource('./read-worker.ts'), { execArgv: [], eval: true });
  const remove = () => {
    const at = idle.indexOf(started);
    if (at >= 0) idle.splice(at, 1);
  };
  started.on('exit', remove).on('error', remove);
  // An idle thread must not keep the process alive.
  started.unref();
  return started;
}

function answerOf(worker: Worker, asked: ReadQuestion | 'close'): Promise<ReadAnswer> {
  worker.ref();
  worker.postMessage(asked);
  return new Promise<ReadAnswer>((resolve, reject) => {
    const onEnd = (code: number) => settle(() => reject(new Error(`The reading thread ended with code ${code}`)));
    const onAnswer = (answer: ReadAnswer) => settle(() => resolve(answer));
    const onError = (error: unknown) => settle(() => reject(error));
    const settle = (done: () => void) => {
      worker.off('message', onAnswer).off('error', onError).off('exit', onEnd).unref();
      done();
    };
    worker.on('message', onAnswer).on('error', onError).on('exit', onEnd);
  });
}

/** Code that runs a TypeScript file in a thread, with the loader of the main thread. */
function runSource(file: string): string {
  const paths = ['tsx/cjs', file].map((name) => createRequire(import.meta.url).resolve(name));
  return paths.map((path) => `require(${JSON.stringify(path)});`).join('');
}
