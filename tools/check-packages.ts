import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packAll } from '../test/support/packages/pack.ts';
import { toolProgram } from './install-packages.ts';
import { runStep } from './run-step.ts';

/** `npm run check:packages`: packs the packages and checks them like their users would install them. */
const folder = mkdtempSync(join(tmpdir(), 'tollfree-pack-'));
const { service, contract, sdk } = await packAll(folder);

/** Checks the types of a package. Only ESM is published, which Node.js from 20.19 on can also `require`. */
function checkTypes(tarball: string, ...more: readonly string[]): Promise<boolean> {
  return runStep('attw', toolProgram('attw'), ['--profile', 'esm-only', '--format', 'ascii', tarball, ...more]);
}

const hold = await Promise.all([
  ...[service, contract, sdk].map((tarball) => runStep('publint', toolProgram('publint'), ['--strict', tarball])),
  checkTypes(sdk),
  // By default it does not check entry points given as patterns.
  checkTypes(contract, '--include-entrypoints', './router', './policy', './rpc/json-rpc'),
]);
rmSync(folder, { recursive: true, force: true });
process.exit(hold.includes(false) ? 1 : 0);
