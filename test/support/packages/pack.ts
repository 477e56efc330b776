import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { layOutDevelopmentChain } from './development-chain.ts';

const run = promisify(execFile);

export const repository = resolve(import.meta.dirname, '../../..');

/** Longest run of one npm command, in milliseconds. */
const timeout = 240_000;

/** The version of the packages, which are released together. */
export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')));

/** Files of the packages as the registry would hand them out. */
export type Tarballs = {
  readonly service: string;
  readonly contract: string;
  readonly sdk: string;
  readonly developmentChain: string;
};

/** Where the packages that were made last are kept: the tests and the check both want them of the same sources. */
const kept = join(repository, 'node_modules/.cache/tollfree-packages');

/**
 * Compiles the packages and packs them into a folder, or takes those that were made of the same sources. Those may name
 * an earlier commit: a release is compiled.
 */
export async function packAll(folder: string, { isRelease = false } = {}): Promise<Tarballs> {
  const digest = isRelease ? undefined : sourcesDigest(repository);
  const found = digest === undefined ? undefined : join(kept, digest);
  if (found !== undefined && existsSync(found)) {
    cpSync(found, folder, { recursive: true });
    return tarballsIn(folder);
  }
  await buildPackages();
  const args = ['pack', '--ignore-scripts', '--workspaces', '--include-workspace-root', '--pack-destination', folder];
  await run('npm', args, { cwd: repository, timeout });
  const developmentChain = mkdtempSync(join(folder, 'development-chain-'));
  layOutDevelopmentChain(repository, developmentChain);
  await run('npm', ['pack', '--pack-destination', folder], { cwd: developmentChain, timeout });
  rmSync(developmentChain, { recursive: true });
  // What was changed while they were made may be in them or not.
  if (found !== undefined && sourcesDigest(repository) === digest) keep(tarballsIn(folder), found);
  return tarballsIn(folder);
}

/** Compiles the packages into the folders `dist` of the repository. */
export async function buildPackages(): Promise<void> {
  await run('npm', ['run', 'build'], { cwd: repository, timeout });
}

function tarballsIn(folder: string): Tarballs {
  return {
    service: join(folder, `tollfree-${version}.tgz`),
    contract: join(folder, `tollfree-contract-${version}.tgz`),
    sdk: join(folder, `tollfree-sdk-${version}.tgz`),
    developmentChain: join(folder, `tollfree-development-chain-${version}.tgz`),
  };
}

function keep(tarballs: Tarballs, at: string): void {
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  const unfinished = mkdtempSync(join(kept, 'unfinished-'));
  for (const file of Object.values(tarballs)) cpSync(file, join(unfinished, basename(file)));
  renameSync(unfinished, at);
}

/** A new folder of a project that has nothing in it yet. */
export function emptyProject(parent: string, name: string): string {
  const folder = mkdtempSync(join(parent, `${name}-`));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  return folder;
}

/** Runs npm in a project, its cache first. Install scripts do not run: see {@link copySqliteBinding}. */
export async function npm(project: string, ...args: readonly string[]): Promise<void> {
  const quick = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', [...args, ...quick], { cwd: project, timeout });
}

/** What npm compiles for a minute where this Node.js takes no build that is in a package. The repository's own does as well. */
export function copySqliteBinding(project: string): void {
  const binding = 'node_modules/better-sqlite3-12/build/Release';
  if (!existsSync(join(repository, binding))) return;
  mkdirSync(join(project, binding), { recursive: true });
  const file = join(binding, 'better_sqlite3.node');
  copyFileSync(join(repository, file), join(project, file));
}

/** What the packages are made of, and what makes them. */
const sources = [
  ...['contract', 'core', 'gateway', 'server', 'clients', 'proto/gen', 'tools/build', 'docs', 'LICENSE', 'README.md'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
];

/** Differs whenever a package made of the repository's files, as they are now, could. Undefined outside of a git clone. */
function sourcesDigest(repository: string): string | undefined {
  if (!existsSync(join(repository, '.git'))) return undefined;
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...sources];
  const names = execFileSync('git', list, { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0');
  const digest = createHash('sha256');
  for (const name of names.sort()) {
    const file = join(repository, name);
    if (name === '' || !existsSync(file)) continue;
    const content = readFileSync(file);
    digest.update(`${name} ${content.length}\n`).update(content);
  }
  return digest.digest('hex');
}

const requireHere = createRequire(import.meta.url);

/** Path of a file inside an installed package, of the tests or of the repository, read past its `exports`. */
export function packageFile(packageName: string, file: string): string {
  const roots = (requireHere.resolve.paths(packageName) ?? []).map((folder) => join(folder, packageName));
  const root = roots.find((each) => existsSync(join(each, 'package.json')));
  if (root === undefined) throw new Error(`${packageName} is not installed. Run \`npm run packages\`.`);
  return join(root, file);
}
