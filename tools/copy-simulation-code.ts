import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';

const requireHere = createRequire(new URL('../test/package.json', import.meta.url));
const artifactSchema = z.object({ deployedBytecode: z.templateLiteral(['0x', z.string()]) });

/** The code of a published EntryPointSimulations, the only part needed at runtime of a package of many megabytes. */
function readCode(version: string): string {
  const file = requireHere.resolve(`@account-abstraction/contracts-${version}/artifacts/EntryPointSimulations.json`);
  return artifactSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).deployedBytecode;
}

const lines = [
  '// Copied from the packages @account-abstraction/contracts 0.7.0, 0.8.0 and 0.9.0-rc.1 by `npm run generate`. Do not edit.',
  `export const entryPointSimulations07 =\n  '${readCode('0.7')}';`,
  `export const entryPointSimulations08 =\n  '${readCode('0.8')}';`,
  `export const entryPointSimulations09 =\n  '${readCode('0.9')}';`,
];
writeFileSync('core/evm/entry-point/simulations.generated.ts', `${lines.join('\n\n')}\n`);
