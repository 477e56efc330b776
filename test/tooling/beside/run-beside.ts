import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/** A package that is too large for the lock file, or of a licence that is not for it. */
export type PackageBeside = { readonly name: string; readonly version: string };

/**
 * Installs a package into the machine's temporary folder and runs suites with it, which find its folder as the value
 * `installed`. Flags go to vitest. Returns the exit code: 1 when npm failed.
 */
export function runBeside(beside: PackageBeside, suites: string, flags: readonly string[]): number {
  const folder = install(beside);
  if (folder === undefined) return 1;
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const config = join(import.meta.dirname, 'vitest.config.ts');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', config, ...flags], {
    cwd: root,
    env: { ...process.env, SUITES: suites, INSTALLED: folder },
    stdio: 'inherit',
  });
  return status ?? 1;
}

function install({ name, version }: PackageBeside): string | undefined {
  const home = join(tmpdir(), `tollfree-${name.split('/').at(-1)}-${version}`);
  const folder = join(home, 'node_modules', name);
  if (existsSync(join(home, 'node_modules/.package-lock.json'))) return folder;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', ...flags, `${name}@${version}`], { cwd: home, stdio: 'inherit' });
  return status === 0 ? folder : undefined;
}
