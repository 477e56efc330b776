import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ReadAnswer, ReadQuestion } from './read-question.ts';

/** A thread that reads a database, or copies its log, with its own connections. Started when it is needed first. */
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

export function createReadThread(file: string): ReadThread {
  let worker: Worker | undefined;
  let isClosed = false;

  function start(): Worker {
    const started = isCompiled
      ? new Worker(new URL('./read-worker.js', import.meta.url), { workerData: file, execArgv: [] })
      : new Worker(runSource('./read-worker.ts'), { workerData: file, execArgv: [], eval: true });
    // It only ends by itself after an error; the next question starts another one.
    const forget = () => {
      if (worker === started) worker = undefined;
    };
    started.once('exit', forget);
    started.on('error', forget);
    // An idle thread must not keep the process alive.
    started.unref();
    return started;
  }

  return {
    ask: async (question) => {
      worker ??= start();
      const asked = worker;
      asked.ref();
      asked.postMessage(question);
      const answer = await answerOf(asked).finally(() => asked.unref());
      if ('rows' in answer) return answer.rows;
      throw Object.assign(new Error(answer.message), { name: 'SqliteError', code: answer.code });
    },
    abandon: async () => {
      const left = worker;
      worker = undefined;
      await left?.terminate();
    },
    checkpoint: () => {
      if (isClosed) return;
      worker ??= start();
      worker.postMessage('checkpoint');
    },
    close: async () => {
      isClosed = true;
      const last = worker;
      if (last === undefined) return;
      last.ref();
      const ended = once(last, 'exit');
      last.postMessage('close');
      await ended;
    },
  };
}

function answerOf(worker: Worker): Promise<ReadAnswer> {
  return new Promise((resolve, reject) => {
    const onEnd = (code: number) => settle(() => reject(new Error(`The reading thread ended with code ${code}`)));
    const onAnswer = (answer: ReadAnswer) => settle(() => resolve(answer));
    const onError = (error: unknown) => settle(() => reject(error));
    const settle = (done: () => void) => {
      worker.off('message', onAnswer).off('error', onError).off('exit', onEnd);
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
