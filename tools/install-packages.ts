import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Folders with their own lock file, which the top-level `npm ci` ignores: what their packages are for, and where they link to. */
const folders = {
  'tools/abstractjs': { use: 'tests that need an older viem', links: [] },
  test: { use: 'tests', links: ['tools/abstractjs'] },
  'tools/programs': { use: 'check', links: [] },
} as const;

export type PackageFolder = keyof typeof folders;

/**
 * Installs the packages of a folder and of the folders that it links to, unless those of their lock files are already
 * installed. Runs no install scripts, since none of these packages needs one.
 *
 * @throws Error when npm fails.
 */
export function installPackages(folder: PackageFolder): void {
  const { use, links } = folders[folder];
  links.forEach(installPackages);
  const home = join(root, folder);
  if (isInstalled(home)) return;
  process.stderr.write(`Installing the packages of the ${use} (${folder}/package-lock.json).\n`);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Not to standard output, which may be a report for a program.
  const { status } = spawnSync('npm', args, { cwd: home, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    throw new Error(
      `npm could not install ${folder}/package-lock.json. Check the connection to the registry and try again.`,
    );
  }
}

/** Entries of a lock file of npm, by their paths. */
type Locked = Readonly<Record<string, { readonly integrity?: string; readonly optional?: boolean }>>;

/** Whether npm's own list of what it has installed, which it writes last, has what the lock file asks for. */
function isInstalled(home: string): boolean {
  const list = join(home, 'node_modules/.package-lock.json');
  if (!existsSync(list)) return false;
  const [asked, there] = [join(home, 'package-lock.json'), list].map(
    (file): Locked => JSON.parse(readFileSync(file, 'utf8')).packages,
  );
  return Object.entries(asked ?? {}).every(([path, { integrity, optional }]) => {
    const found = there?.[path];
    // Optional ones are for other systems.
    return path === '' || (found === undefined ? optional === true : found.integrity === integrity);
  });
}

/** The compiler and linter of the protocol, a package of the tests. */
export const bufProgram = join(root, 'test/node_modules/.bin/buf');

/** Path of a program for the check or a release. Installs it first if it is missing. */
export function toolProgram(name: string): string {
  installPackages('tools/programs');
  return join(root, 'tools/programs/node_modules/.bin', name);
}

function isPackageFolder(text: string): text is PackageFolder {
  return Object.keys(folders).includes(text);
}

if (process.argv[1] === import.meta.filename) process.argv.slice(2).filter(isPackageFolder).forEach(installPackages);
