import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';
import { runSolc } from './run-solc.ts';

/** A compiled contract. `runtimeBytecode` is its code on chain, `creationBytecode` the code that deploys it. */
export type CompiledContract = {
  readonly abi: Abi;
  readonly creationBytecode: Hex;
  readonly runtimeBytecode: Hex;
};

type CompilerOutput = {
  errors?: { formattedMessage: string }[];
  contracts?: Record<
    string,
    Record<string, { abi: Abi; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }>
  >;
};

/**
 * Compiles a Solidity file, which may import the other given ones of its folder (`import "./Other.sol"`). The output only
 * depends on the source: no paths, no metadata hash. Warnings are errors. `paris` bytecode runs on every chain, including
 * those without PUSH0.
 */
export function compileSolidity(path: string, ...imported: readonly string[]): ReadonlyMap<string, CompiledContract> {
  return compileWith({ evmVersion: 'paris', optimizer: { enabled: true, runs: 200 } }, path, ...imported);
}

/** Compiles a file with compiler settings of its own. */
export function compileWith(
  settings: Readonly<Record<string, unknown>>,
  path: string,
  ...imported: readonly string[]
): ReadonlyMap<string, CompiledContract> {
  const file = basename(path);
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      [path, ...imported].map((source) => [basename(source), { content: readFileSync(source, 'utf8') }]),
    ),
    settings: {
      ...settings,
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  };
  const output: CompilerOutput = JSON.parse(runSolc(JSON.stringify(input)));
  const failures = output.errors ?? [];
  if (failures.length > 0) throw new Error(failures.map((failure) => failure.formattedMessage).join('\n'));
  const contracts = Object.entries(output.contracts?.[file] ?? {});
  return new Map(
    contracts.map(([name, { abi, evm }]) => [
      name,
      {
        abi,
        creationBytecode: `0x${evm.bytecode.object}`,
        runtimeBytecode: `0x${evm.deployedBytecode.object}`,
      },
    ]),
  );
}

const simulationFolder = join(import.meta.dirname, '../core/gas/simulation');

/** Simulation code, its sources and its generated file. */
export const simulatedContracts = [
  { contract: 'CallGasProbe', prefix: 'callGasProbe', file: 'call-gas-probe' },
  { contract: 'AccountProbe', prefix: 'accountProbe', file: 'account-probe' },
  { contract: 'FailingCallProbe', prefix: 'failingCallProbe', file: 'failing-call-probe' },
  { contract: 'CallbackProbe', prefix: 'callbackProbe', file: 'callback-probe' },
].map(({ file, ...rest }) => ({
  ...rest,
  source: join(simulationFolder, `${file}.sol`),
  imported: join(simulationFolder, 'moment.sol'),
  generated: join(simulationFolder, `${file}.generated.ts`),
}));

/** The text of one generated file. */
export function renderSimulated({ contract, prefix, source, imported }: (typeof simulatedContracts)[number]): string {
  const compiled = compileSolidity(source, imported).get(contract);
  if (compiled === undefined) throw new Error(`${source} has no contract ${contract}`);
  return [
    `// Made from ${basename(source)} by tools/compile-solidity.ts. Do not edit.`,
    `export const ${prefix}Abi = ${JSON.stringify(compiled.abi, null, 2)} as const;`,
    '',
    `export const ${prefix}Code =\n  '${compiled.runtimeBytecode}';`,
    '',
  ].join('\n');
}

/** Writes the generated files. */
export function generateSimulated(): void {
  for (const simulated of simulatedContracts) writeFileSync(simulated.generated, renderSimulated(simulated));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generateSimulated();
