import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * Runs suites, which get the folder of a separate package as the value `installed`: empty where they need none. Flags go to vitest. Returns
 * the exit code.
 */
export function runSuites(
  suites: string,
  { installed = '', flags }: { readonly installed?: string; readonly flags: readonly string[] },
): number {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const config = join(import.meta.dirname, 'vitest.config.ts');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', config, ...flags], {
    cwd: root,
    env: { ...process.env, SUITES: suites, INSTALLED: installed },
    stdio: 'inherit',
  });
  return status ?? 1;
}
