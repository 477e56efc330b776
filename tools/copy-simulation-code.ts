import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { entryPointVersions } from '../contract/entry-point-version.ts';

const requireHere = createRequire(new URL('../test/package.json', import.meta.url));
const artifactSchema = z.object({ deployedBytecode: z.templateLiteral(['0x', z.string()]) });
const manifestSchema = z.object({ version: z.string() });

function read<Schema extends z.ZodType>(version: string, file: string, schema: Schema): z.output<Schema> {
  const path = requireHere.resolve(`@account-abstraction/contracts-${version}/${file}`);
  return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

// The code of a published EntryPointSimulations, the only part needed at runtime of a package of many megabytes. EntryPoint
// 0.6 simulates itself.
const versions = entryPointVersions.filter((version) => version !== '0.6');
const published = versions.map((version) => read(version, 'package.json', manifestSchema).version);
const codes = versions.map(
  (version) =>
    `  '${version}':\n    '${read(version, 'artifacts/EntryPointSimulations.json', artifactSchema).deployedBytecode}',`,
);
const lines = [
  `// Copied from the packages @account-abstraction/contracts ${published.join(', ')} by \`npm run generate\`. Do not edit.`,
  '',
  'export const entryPointSimulations = {',
  ...codes,
  '} as const;',
  '',
];
writeFileSync('core/evm/entry-point/simulations.generated.ts', lines.join('\n'));
