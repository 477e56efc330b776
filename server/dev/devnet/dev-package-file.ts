import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { mistake } from '../../../clients/cli/terminal/cli-error.ts';

const requireHere = createRequire(import.meta.url);

/**
 * Path of a file inside an installed package, bypassing its `exports`. A production install lacks development packages, so a
 * missing one is reported as a sentence.
 */
export function devPackageFile(packageName: string, file: string): string {
  for (const directory of requireHere.resolve.paths(packageName) ?? []) {
    const root = join(directory, packageName);
    try {
      readFileSync(join(root, 'package.json'));
    } catch {
      continue;
    }
    return join(root, file);
  }
  throw mistake(
    `The development chain needs the package ${packageName}, which is not installed. Run \`npm install\` with development dependencies.`,
  );
}
