import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A package that is too large for the lock file, or whose license excludes it. */
export type SeparatePackage = { readonly name: string; readonly version: string };

/**
 * Installs a package into the machine's temporary folder, once. Returns its folder; undefined when npm failed. The folder
 * gets its name only when complete: otherwise two concurrent runs would install into each other's files.
 */
export function installSeparately({ name, version }: SeparatePackage): string | undefined {
  const home = join(tmpdir(), `tollfree-${name.split('/').at(-1)}-${version}`);
  const folder = join(home, 'node_modules', name);
  if (existsSync(home)) return folder;
  const draft = mkdtempSync(`${home}-`);
  // PostgreSQL's programs run as another user.
  chmodSync(draft, 0o755);
  writeFileSync(join(draft, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', ...flags, `${name}@${version}`], { cwd: draft, stdio: 'inherit' });
  if (status === 0 && !existsSync(home)) renameSync(draft, home);
  else rmSync(draft, { recursive: true, force: true });
  return status === 0 ? folder : undefined;
}
