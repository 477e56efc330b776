import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

const requireHere = createRequire(new URL('../test/package.json', import.meta.url));
const folder = join(import.meta.dirname, '../node_modules/.cache/tollfree-solidity');

/**
 * The compiler's answer to its standard JSON input, cached by the hash of compiler and input: workers compile the same
 * contracts repeatedly, and loading the compiler alone takes a second.
 */
export function runSolc(input: string): string {
  const { version }: { version: string } = requireHere('solc/package.json');
  const file = join(folder, `${createHash('sha256').update(`${version} ${input}`).digest('hex')}.json`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Optimizing the compiler's own WebAssembly takes longer than it saves on so few contracts.
    setFlagsFromString('--liftoff-only');
    const solc: { compile(input: string): string } = requireHere('solc');
    const output = solc.compile(input);
    mkdirSync(folder, { recursive: true });
    // Another worker may write the same file, so it is written atomically.
    writeFileSync(`${file}.${process.pid}`, output);
    renameSync(`${file}.${process.pid}`, file);
    return output;
  }
}
