import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { listLicenses } from './list-licenses.ts';

const repository = resolve(import.meta.dirname, '../..');

/** What the service is made of: its entry, and the thread that reads the database. */
const entriesOfService = {
  'server/tollfree': 'server/tollfree.ts',
  'chunks/all/read-worker': 'core/store/sqlite/reading/read-worker.ts',
};

/**
 * Compiles the service as it is installed into a folder, which is emptied: `server/tollfree.js`, a file for each of
 * its commands, and next to those the entry of the thread that reads the database.
 */
export async function compileProgram({
  root = repository,
  entries = entriesOfService,
  outDir,
}: {
  /** A checkout, with its packages installed. */
  readonly root?: string;
  readonly entries?: Readonly<Record<string, string>>;
  readonly outDir: string;
}): Promise<void> {
  const installed = readInstalledPackages(root);
  await build({
    cwd: root,
    input: { ...entries },
    platform: 'node',
    external: (id) => isBuiltin(id) || installed.some((name) => id === name || id.startsWith(`${name}/`)),
    resolve: { conditionNames: ['@tollfree/source', 'node', 'default'] },
    transform: { target: 'node20' },
    plugins: [listLicenses(), addDocs()],
    logLevel: 'warn',
    output: {
      dir: outDir,
      cleanDir: true,
      format: 'esm',
      entryFileNames: '[name].js',
      // As deep as the sources of the command line: paths in the log begin at the root of the program.
      chunkFileNames: 'chunks/all/[name]-[hash].js',
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  });
}

/**
 * The packages that are installed with the service: those with native code, workers or files of their own, and those that rolldown
 * cannot join (prom-client, by way of @opentelemetry/api; grpc-js). All others are development dependencies, and in the compiled
 * files: loading them one file at a time is most of what a start takes. Of the contract only its documents are read from there.
 */
function readInstalledPackages(root: string): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, object>>;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.filter((name) => name !== '@tollfree/contract');
}

if (process.argv[1] === import.meta.filename)
  await compileProgram({ outDir: process.argv[2] ?? join(repository, 'dist') });

const folder = resolve(import.meta.dirname, '../../docs');

/** Puts the documentation into the build, where the gateway looks for it: it serves these pages at `/docs`. */
function addDocs(): Plugin {
  return {
    name: 'add-docs',
    generateBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(md|svg)$/.test(name)) continue;
        const fileName = `docs/${name.replaceAll('\\', '/')}`;
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(folder, name)) });
      }
    },
  };
}
