import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'tsdown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The compiled `tollfree`, for `node`. */
    program: string;
  }
}

const root = resolve(import.meta.dirname, '../../..');

/**
 * For vitest's `globalSetup`: compiles the program for each run as `npm run build` does, so that its processes start in a
 * fraction of the time that `clients/cli/tollfree.ts` takes from the sources.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = join(root, 'node_modules/.cache', `tollfree-${process.pid}`);
  const config = join(root, 'test/tooling/build/tsdown.config.ts');
  await build({ cwd: root, config, outDir: join(folder, 'dist'), logLevel: 'error' });
  // Paths in the log begin beside it.
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  project.provide('program', join(folder, 'dist/clients/cli/tollfree.js'));
  return () => rmSync(folder, { recursive: true, force: true });
}
