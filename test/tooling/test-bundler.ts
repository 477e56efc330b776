import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { installAlto } from './bundler/install-alto.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * `npm run test:bundler`: published clients send operations through alto, a bundler of others, on a development chain.
 * Flags go to vitest. Exits 1 when one does not land.
 */
const program = installAlto();
if (program === undefined) process.exit(1);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const config = join(import.meta.dirname, 'bundler/vitest.config.ts');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', config, ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, ALTO_PROGRAM: program },
  stdio: 'inherit',
});
process.exit(status ?? 1);
