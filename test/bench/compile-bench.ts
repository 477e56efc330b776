import { existsSync, rmSync } from 'node:fs';
import { join, parse } from 'node:path';
import { compileProgram } from '../../tools/build/compile-program.ts';

/** The thread that reads the database. */
const readWorker = 'core/store/sqlite/reading/read-worker.ts';
/** What is measured. An earlier checkout may lack some. */
const programs = ['service.ts', 'second-core.ts', 'gateway-alone.ts', 'floors/floor.ts'];

/**
 * Compiles the service that is measured as `npm run build` compiles what is installed: from the sources each function is
 * wrapped once more on the way, which costs it a sixth of its speed. Returns the folder of the programs.
 */
export async function compileBench(root: string): Promise<string> {
  const folder = join(root, 'node_modules/.cache', `tollfree-bench-${process.pid}`);
  const there = programs.map((file) => `test/bench/${file}`).filter((file) => existsSync(join(root, file)));
  const measured = Object.fromEntries(there.map((file) => [`server/${parse(file).name}`, file]));
  const entries = existsSync(join(root, readWorker)) ? { ...measured, 'chunks/all/read-worker': readWorker } : measured;
  await compileProgram({ root, entries, outDir: join(folder, 'dist') });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'dist/server');
}
