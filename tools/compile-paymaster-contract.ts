import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileWith } from './compile-solidity.ts';

const folder = join(import.meta.dirname, '../server/paymaster-contract');

/** EntryPoint 0.8 and 0.9 run on chains with the fork Cancun alone. Each gas of a call is worth more than a byte of the code. */
const settings = { evmVersion: 'cancun', viaIR: true, optimizer: { enabled: true, runs: 1_000_000 } };

/**
 * The text of the file that has Tollfree's own paymaster contract compiled. The same source gives the same text: the compiler
 * is pinned and its metadata is left out.
 */
export function renderPaymasterContract(): string {
  const compiled = compileWith(settings, join(folder, 'contracts/TollfreePaymaster.sol')).get('TollfreePaymaster');
  if (compiled === undefined) throw new Error('The compiler returned no TollfreePaymaster.');
  return [
    '// Made from contracts/TollfreePaymaster.sol by `npm run generate`. Do not edit.',
    `export const tollfreePaymasterAbi = ${JSON.stringify(compiled.abi, null, 2)} as const;`,
    '',
    `export const tollfreePaymasterBytecode =\n  '${compiled.creationBytecode}';`,
    '',
  ].join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(join(folder, 'tollfree-paymaster.generated.ts'), renderPaymasterContract());
}
