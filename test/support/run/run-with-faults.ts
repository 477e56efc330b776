import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A mistake in a copy of the sources that something has to find. `from` stands in the file once. */
export type PlantedFault = { readonly name: string; readonly file: string; readonly from: string; readonly to: string };

const root = fileURLToPath(new URL('../../../', import.meta.url));
const leftOut = new Set(['node_modules', '.git', 'dist', '.tollfree']);

/** The file of a fault with it. @throws Error when the sources do not contain once what it replaces. */
export function withFault({ file, from, to }: PlantedFault): string {
  const source = readFileSync(join(root, file), 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} does not contain once: ${from}`);
  return source.replace(from, () => to);
}

/** Runs a program of the sources, with its flags, once for each fault: in a copy of the sources that has it. */
export function runWithFaults(
  faults: readonly PlantedFault[],
  program: readonly string[],
  visit: (fault: PlantedFault, ended: SpawnSyncReturns<string>) => void,
): void {
  const copy = mkdtempSync(join(tmpdir(), 'tollfree-faults-'));
  try {
    cpSync(root, copy, { recursive: true, filter: (name) => !leftOut.has(name.split('/').at(-1) ?? '') });
    for (const folder of ['node_modules', 'test/node_modules']) symlinkSync(join(root, folder), join(copy, folder));
    for (const fault of faults) {
      const path = join(copy, fault.file);
      const original = readFileSync(path, 'utf8');
      writeFileSync(path, withFault(fault));
      const flags = ['--conditions=@tollfree/source', '--import', 'tsx', ...program];
      visit(fault, spawnSync(process.execPath, flags, { cwd: copy, encoding: 'utf8' }));
      writeFileSync(path, original);
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}
