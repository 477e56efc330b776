import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsdown';

/** What `service.ts` starts, and itself. */
const programs = ['service', 'core-beside', 'gateway-alone'];

/**
 * Compiles the service that is measured as `npm run build` compiles what is installed: from the sources each function is
 * wrapped once more on the way, which costs it a sixth of its speed. Returns the folder of the programs.
 */
export async function compileBench(root: string): Promise<string> {
  const folder = join(root, 'node_modules/.cache', `tollfree-bench-${process.pid}`);
  const entry = Object.fromEntries(programs.map((name) => [`clients/cli/${name}`, `test/bench/${name}.ts`]));
  await build({
    cwd: root,
    config: join(root, 'test/tooling/build/tsdown.config.ts'),
    entry: { ...entry, 'chunks/all/read-worker': 'core/store/sqlite/reading/read-worker.ts' },
    outDir: join(folder, 'dist'),
    logLevel: 'error',
  });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'dist/clients/cli');
}
