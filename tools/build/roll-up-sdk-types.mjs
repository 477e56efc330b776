/**
 * Writes the SDK's type declarations into its `dist`: those of each entry with everything of ours that it uses, including
 * the contract, and nothing else. So an application needs neither that package nor the types of ts-rest.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const root = resolve(import.meta.dirname, '../..');

const drafts = mkdtempSync(join(tmpdir(), 'tollfree-types-'));
try {
  declare('contract', 'contract');
  declare('clients/sdk', 'sdk');
  const entries = ['index', 'management', 'react', 'send'];
  const build = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(drafts, `sdk/${name}.d.ts`)])),
    external: (id) => !/^(?:[./]|@tollfree\/)/.test(id) && !/^[A-Za-z]:/.test(id),
    logLevel: 'silent',
    plugins: [
      {
        name: 'contract',
        resolveId(id) {
          const path = /^@tollfree\/contract\/(.*)$/.exec(id)?.[1];
          return path === undefined ? undefined : join(drafts, 'contract', `${path}.d.ts`);
        },
      },
      ...dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, sourcemap: false }),
    ],
  });
  const outputOptions = { dir: join(root, 'clients/sdk/dist'), format: 'es', chunkFileNames: 'types/[name].d.ts' };
  await build.write(outputOptions);
  await build.close();
} finally {
  rmSync(drafts, { recursive: true, force: true });
}

/** Runs the compiler to write a package's declarations, file by file. */
function declare(folder, draft) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const config = join(root, folder, 'tsconfig.build.json');
  const args = [
    compiler,
    '-p',
    config,
    '--emitDeclarationOnly',
    '--sourceMap',
    'false',
    '--outDir',
    join(drafts, draft),
  ];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`The declarations of ${folder} could not be made.`);
}
