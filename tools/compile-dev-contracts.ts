import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { runSolc } from './run-solc.ts';

const sourceDirectory = new URL('../server/dev/devnet/contracts/', import.meta.url);
const contractNames = ['DevTarget', 'DevToken', 'DevFeed', 'DevFeeOracle'] as const;

/** The generated file that holds the compiled contracts of the development chain. */
export const devContractsFile = fileURLToPath(new URL('../server/dev/devnet/contracts.generated.ts', import.meta.url));

const outputSchema = z.object({
  errors: z.array(z.object({ formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({ abi: z.array(z.unknown()), evm: z.object({ bytecode: z.object({ object: z.string() }) }) }),
      ),
    )
    .default({}),
});

/**
 * Compiles the Solidity sources of the development chain and returns the text of `contracts.generated.ts`. The output is
 * deterministic: the compiler is pinned and its metadata hash is left out. Warnings are errors.
 */
export function compileDevContracts(): string {
  const sources = Object.fromEntries(
    contractNames.map((name) => [
      `${name}.sol`,
      { content: readFileSync(new URL(`${name}.sol`, sourceDirectory), 'utf8') },
    ]),
  );
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = outputSchema.parse(JSON.parse(runSolc(JSON.stringify(input))));
  if (output.errors.length > 0) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));

  const declarations = contractNames.map((name) => {
    const contract = output.contracts[`${name}.sol`]?.[name];
    if (contract === undefined) throw new Error(`The compiler returned no contract ${name}.`);
    const constant = `${name[0]?.toLowerCase()}${name.slice(1)}`;
    return [
      `export const ${constant}Abi = ${JSON.stringify(contract.abi, null, 2)} as const;`,
      `export const ${constant}Bytecode = '0x${contract.evm.bytecode.object}' as const;`,
    ].join('\n\n');
  });
  const header = '// Generated from contracts/*.sol by `npm run generate`. Do not edit.';
  return `${[header, ...declarations].join('\n\n')}\n`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(devContractsFile, compileDevContracts());
}
