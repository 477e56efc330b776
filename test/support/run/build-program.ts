import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { compileProgram } from '../../../tools/build/compile-program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The compiled `tollfree`, for `node`. */
    program: string;
    /** Folder of {@link processes}. */
    processes: string;
  }
}

const root = resolve(import.meta.dirname, '../../..');

/** What tests run as processes next to the program. From its sources, each takes seconds of CPU time to start. */
const processes = ['test/gateway/failing-gateway', 'test/ledger/archiving-process', 'server/dev/devnet/start-anvil'];
/** The store's reading thread is looked for next to the one process that has a store. */
const readWorker = { 'test/ledger/read-worker': 'core/store/sqlite/reading/read-worker.ts' };

/**
 * For vitest's `globalSetup`: compiles the program for each run as `npm run build` does, so that its processes start in a
 * fraction of the time that `server/tollfree.ts` takes from the sources.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = join(root, 'node_modules/.cache', `tollfree-${process.pid}`);
  const entries = Object.fromEntries(processes.map((path) => [path, `${path}.ts`]));
  await Promise.all([
    compileProgram({ outDir: join(folder, 'dist') }),
    compileProgram({ outDir: join(folder, 'processes'), entries: { ...entries, ...readWorker } }),
  ]);
  // The program finds the optional packages that an operator installs next to it among those of the tests.
  symlinkSync(join(root, 'test/node_modules'), join(folder, 'node_modules'), 'junction');
  // Paths in the log begin in the folder of this file.
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  project.provide('program', join(folder, 'dist/server/tollfree.js'));
  project.provide('processes', join(folder, 'processes'));
  return () => rmSync(folder, { recursive: true, force: true });
}
