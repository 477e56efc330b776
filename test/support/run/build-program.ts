import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, defaultServerConditions } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The compiled `tollfree`, for `node`. */
    program: string;
  }
}

/** Packages of this repository are taken from their sources. */
const conditions = ['@tollfree/source', ...defaultServerConditions];
const root = resolve(import.meta.dirname, '../../..');
/** Packages that take long to load one file at a time and read no files of their own. */
const bundled = [
  ...['viem', 'ox', 'zod', 'abitype', 'kysely', 'commander', '@bufbuild/protobuf'],
  ...['express', 'helmet', 'prom-client', /^@ts-rest\//, /^@noble\//, /^@scure\//, /^@tollfree\//],
];

/**
 * For vitest's `globalSetup`: compiles the program anew for each run, so that its processes start in a tenth of the time
 * that `clients/cli/tollfree.ts` takes from the sources. The files it reads beside itself lie where it looks for them.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const outDir = join(root, 'node_modules/.cache', `tollfree-${process.pid}`);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions },
    ssr: { noExternal: bundled, resolve: { conditions } },
    build: {
      ssr: 'clients/cli/main.ts',
      target: 'node20',
      outDir,
      emptyOutDir: true,
      rolldownOptions: {
        output: { entryFileNames: 'clients/cli/[name].js', chunkFileNames: 'chunks/all/[name]-[hash].js' },
      },
    },
  });
  for (const file of ['package.json']) cpSync(join(root, file), join(outDir, file));
  const program = join(outDir, 'clients/cli/run.js');
  writeFileSync(program, "import { main } from './main.js';\nawait main(process.argv);\n");
  project.provide('program', program);
  return () => rmSync(outDir, { recursive: true, force: true });
}
