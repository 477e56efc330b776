import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packAll } from '../test/support/packages/pack.ts';
import { toolProgram } from './install-packages.ts';
import { runStep } from './run-step.ts';

/** `npm run check:packages`: packs the packages and looks at them as those do who install them. */
const folder = mkdtempSync(join(tmpdir(), 'tollfree-pack-'));
const { service, contract, sdk } = await packAll(folder);

/** Looks at the types of a package. Only ESM is published: Node from 20.19 on can require it as well. */
function checkTypes(tarball: string, ...more: readonly string[]): Promise<boolean> {
  return runStep('attw', toolProgram('attw'), ['--profile', 'esm-only', '--format', 'ascii', tarball, ...more]);
}

const hold = await Promise.all([
  ...[service, contract, sdk].map((tarball) => runStep('publint', toolProgram('publint'), ['--strict', tarball])),
  checkTypes(sdk),
  // It does not look behind a pattern of entry points by itself.
  checkTypes(contract, '--include-entrypoints', './router', './policy', './rpc/json-rpc'),
]);
rmSync(folder, { recursive: true, force: true });
process.exit(hold.includes(false) ? 1 : 0);
