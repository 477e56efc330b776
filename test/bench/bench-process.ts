import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchTarget } from './bench-target.ts';

/** A process that posts where it can be reached once it can. */
export type BenchProcess<T> = {
  readonly target: T;
  readonly pid: number | undefined;
  /** Sends it a message; resolves to the next one from it. */
  ask(message: string): Promise<unknown>;
  stop(): Promise<void>;
};

/** Runs a file of `test/bench` of a checkout, by default of this one. */
export async function startBenchProcess<T>(
  file: string,
  args: readonly string[],
  root = join(import.meta.dirname, '../..'),
): Promise<BenchProcess<T>> {
  const child: ChildProcess = fork(join(root, 'test/bench', file), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [target] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
  if (target === undefined) throw new Error(`${file} ended before it could be reached.`);
  return {
    target: target as T,
    pid: child.pid,
    ask: async (message) => {
      const answer = once(child, 'message');
      child.send(message);
      return (await answer)[0];
    },
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

export async function startBenchService(args: readonly string[], root?: string): Promise<BenchProcess<BenchTarget>> {
  const service = await startBenchProcess<BenchTarget>('service.ts', args, root);
  if (Array.isArray(service.target.senders)) return service;
  await service.stop();
  throw new Error(`The service of ${root} is of a commit that is too old to be measured beside this one.`);
}
