import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CompiledContract, compileSolidity, compileWith } from './compile-solidity.ts';

const folder = join(import.meta.dirname, '../server/paymaster-contract');
/** The core knows its address and its event. */
const tankFunderFile = join(import.meta.dirname, '../core/evm/tank-funder/tank-funder.generated.ts');

/** EntryPoint 0.8 and 0.9 require chains with the fork Cancun. Gas per call matters more than code size. */
const settings = { evmVersion: 'cancun', viaIR: true, optimizer: { enabled: true, runs: 1_000_000 } };

/**
 * The generated file with Tollfree's own compiled paymaster contract. The output is deterministic: the compiler is pinned
 * and its metadata is left out.
 */
export function renderPaymasterContract(): string {
  return render('TollfreePaymaster', compileWith(settings, join(folder, 'contracts/TollfreePaymaster.sol')));
}

/** The generated file of the tank funder, which is compiled so that it runs on every chain. */
export function renderTankFunder(): string {
  return render('TankFunder', compileSolidity(join(folder, 'contracts/TankFunder.sol')));
}

function render(name: string, contracts: ReadonlyMap<string, CompiledContract>): string {
  const compiled = contracts.get(name);
  if (compiled === undefined) throw new Error(`The compiler returned no ${name}.`);
  const constant = `${name[0]?.toLowerCase()}${name.slice(1)}`;
  return [
    `// Made from contracts/${name}.sol by \`npm run generate\`. Do not edit.`,
    `export const ${constant}Abi = ${JSON.stringify(compiled.abi, null, 2)} as const;`,
    '',
    `export const ${constant}Bytecode =\n  '${compiled.creationBytecode}';`,
    '',
  ].join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(join(folder, 'tollfree-paymaster.generated.ts'), renderPaymasterContract());
  writeFileSync(tankFunderFile, renderTankFunder());
}
