import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A package that is too large for the lock file, or of a licence that is not for it. */
export type PackageBeside = { readonly name: string; readonly version: string };

/** Installs a package into the machine's temporary folder, once. Returns its folder; undefined when npm failed. */
export function installBeside({ name, version }: PackageBeside): string | undefined {
  const home = join(tmpdir(), `tollfree-${name.split('/').at(-1)}-${version}`);
  const folder = join(home, 'node_modules', name);
  if (existsSync(join(home, 'node_modules/.package-lock.json'))) return folder;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', ...flags, `${name}@${version}`], { cwd: home, stdio: 'inherit' });
  return status === 0 ? folder : undefined;
}
