import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, parse } from 'node:path';
import { compileProgram } from '../../tools/build/compile-program.ts';
import type { BenchTarget } from './bench-target.ts';

/** A process that posts where it can be reached once it can. */
export type BenchProcess<T> = {
  readonly target: T;
  readonly pid: number | undefined;
  /** Sends it a message; resolves to the next one from it. */
  ask(message: string): Promise<unknown>;
  stop(): Promise<void>;
};

const ownRoot = join(import.meta.dirname, '../..');

/** Runs a file of `test/bench` from its source. */
export function startBenchProcess<T>(file: string, args: readonly string[]): Promise<BenchProcess<T>> {
  return startProgram(join(ownRoot, 'test/bench', file), args, { cwd: ownRoot });
}

async function startProgram<T>(
  program: string,
  args: readonly string[],
  options: Pick<ForkOptions, 'cwd' | 'execArgv'>,
): Promise<BenchProcess<T>> {
  const child: ChildProcess = fork(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [target] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
  if (target === undefined) throw new Error(`${program} ended before it could be reached.`);
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

/** The compiled folder of each checkout. */
const compiled = new Map<string, Promise<string>>();

/** A checkout, and flags of Node.js; this one and none by default. */
type CompiledOptions = { readonly root?: string; readonly execArgv?: readonly string[] };

/** Runs a program of the compiled ones. */
export async function startCompiled<T>(
  name: string,
  args: readonly string[],
  { root = ownRoot, execArgv = [] }: CompiledOptions = {},
): Promise<BenchProcess<T>> {
  const folder = compiled.get(root) ?? compileBench(root);
  compiled.set(root, folder);
  return startProgram<T>(join(await folder, `${name}.js`), args, { cwd: root, execArgv: [...execArgv] });
}

/** The service of a checkout, as it is installed: with the flags of Node.js that its unit of systemd has. */
export async function startBenchService(
  args: readonly string[],
  options: CompiledOptions = {},
): Promise<BenchProcess<BenchTarget>> {
  const unit = readFileSync(join(options.root ?? ownRoot, 'deploy/systemd/tollfree.service'), 'utf8');
  const installed = unit.match(/--max-semi-space-size=\d+/) ?? [];
  const execArgv = [...installed, ...(options.execArgv ?? [])];
  const service = await startCompiled<BenchTarget>('service', args, { ...options, execArgv });
  if (Array.isArray(service.target.senders)) return service;
  await service.stop();
  throw new Error(`The service of ${options.root} is of a commit that is too old to be measured next to this one.`);
}

/** The thread that reads the database. */
const readWorker = 'core/store/sqlite/reading/read-worker.ts';
/** What is measured. An earlier checkout may lack some. */
const programs = ['service.ts', 'second-core.ts', 'gateway-alone.ts', 'floors/floor.ts'];

/**
 * Compiles the service that is measured as `npm run build` compiles what is installed: from the sources each function is
 * wrapped once more on the way, which costs it a sixth of its speed. Returns the folder of the programs.
 */
async function compileBench(root: string): Promise<string> {
  const folder = join(root, 'node_modules/.cache', `tollfree-bench-${process.pid}`);
  const there = programs.map((file) => `test/bench/${file}`).filter((file) => existsSync(join(root, file)));
  const measured = Object.fromEntries(there.map((file) => [`server/${parse(file).name}`, file]));
  const entries = existsSync(join(root, readWorker)) ? { ...measured, 'chunks/all/read-worker': readWorker } : measured;
  await compileProgram({ root, entries, outDir: join(folder, 'dist') });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'dist/server');
}
