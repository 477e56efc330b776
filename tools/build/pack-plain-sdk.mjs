import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Packs the SDK as a service that runs from its sources serves it at `/sdk.tgz`, into the file that is named. It has no types:
// making them takes ten times as long as all else, and programs run without.

const root = resolve(import.meta.dirname, '../..');
const sdk = join(root, 'clients/sdk');
const [, , file] = process.argv;
if (file === undefined) throw new Error('Name the file to write.');
const draft = mkdtempSync(`${file}-`);
const rolldown = join(root, 'node_modules/rolldown/bin/cli.mjs');
const built = ['--config', 'rolldown.config.ts', '--dir', join(draft, 'dist'), '--no-sourcemap'];
execFileSync(process.execPath, [rolldown, ...built], { cwd: sdk, stdio: ['ignore', 'ignore', 'inherit'] });
for (const name of ['README.md', 'LICENSE']) cpSync(join(sdk, name), join(draft, name));
const {
  exports,
  devDependencies: _,
  scripts: __,
  ...rest
} = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
const plain = Object.entries(exports).map(([name, of]) => [name, typeof of === 'string' ? of : of.default]);
writeFileSync(join(draft, 'package.json'), JSON.stringify({ ...rest, exports: Object.fromEntries(plain) }, null, 2));
const pack = ['pack', draft, '--ignore-scripts', '--silent', '--pack-destination', draft];
execFileSync('npm', pack, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const tarball = readdirSync(draft).find((name) => name.endsWith('.tgz'));
if (tarball === undefined) throw new Error('npm made no package of clients/sdk.');
renameSync(join(draft, tarball), file);
rmSync(draft, { recursive: true });
