import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { installSeparately, type SeparatePackage } from './install-separately.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Installs a package into the machine's temporary folder and runs suites with it, which get its folder as the value
 * `installed`. Flags go to vitest. Returns the exit code: 1 when npm failed.
 */
export function runSeparately(separate: SeparatePackage, suites: string, flags: readonly string[]): number {
  const folder = installSeparately(separate);
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
