import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { contractDocuments } from '../../gateway/docs/contract-documents.ts';
import { listLicenses } from './list-licenses.ts';

const repository = resolve(import.meta.dirname, '../..');
const docsFolder = join(repository, 'docs');
const sdkFolder = join(repository, 'clients/sdk');

/** The entries of the service: the program, the database reading thread, and the thread of a development chain. */
const entriesOfService = {
  'server/tollfree': 'server/tollfree.ts',
  'chunks/all/read-worker': 'core/store/sqlite/reading/read-worker.ts',
  'chunks/all/chain-worker': 'server/dev/devnet/ethereumjs/chain-worker.ts',
};

/**
 * Compiles the installable service into a folder, which is emptied first: `server/tollfree.js`, a file per command, and next
 * to those the entries of its threads.
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
      // As deep as the command line's sources: paths in the log begin at the root of the program.
      chunkFileNames: 'chunks/all/[name]-[hash].js',
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  });
}

/** Like anvil not part of the service, and too large to bundle for those who never start a development chain. */
const developmentChain = '@ethereumjs';

/**
 * The packages that are installed with the service: those with native code, workers or files of their own, and those that
 * rolldown cannot bundle (prom-client, through @opentelemetry/api; grpc-js). All others are development dependencies and
 * bundled, since loading them file by file takes most of a start.
 */
function readInstalledPackages(root: string): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, object>>;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return [...names, developmentChain];
}

/**
 * Adds the documentation to the build, for the gateway to serve at `/docs`: pages, those of the SDK with its examples, and the
 * documents of the API.
 */
function addDocs(): Plugin {
  return {
    name: 'add-docs',
    generateBundle() {
      const emit = (folder: string, name: string, into: string) =>
        this.emitFile({
          type: 'asset',
          fileName: `${into}/${name.replaceAll('\\', '/')}`,
          source: readFileSync(join(folder, name)),
        });
      for (const name of readdirSync(docsFolder, { recursive: true, encoding: 'utf8' })) {
        if (/\.(md|svg|json)$/.test(name)) emit(docsFolder, name, 'docs');
      }
      for (const name of contractDocuments) emit(join(repository, 'contract'), name, 'contract');
      emit(sdkFolder, 'README.md', 'docs/sdk');
      const examples = join(sdkFolder, 'examples');
      for (const name of readdirSync(examples, { recursive: true, encoding: 'utf8' })) {
        if (name.endsWith('.ts')) emit(examples, name, 'docs/sdk/examples');
      }
    },
  };
}

if (process.argv[1] === import.meta.filename)
  await compileProgram({ outDir: process.argv[2] ?? join(repository, 'dist') });
