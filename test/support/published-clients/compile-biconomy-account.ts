import { readFileSync } from 'node:fs';
import solc from 'solc-0.8.17';
import type { Abi, Hex } from 'viem';
import { z } from 'zod';
import { devPackageFile } from '../../../clients/cli/dev/devnet/dev-package.ts';

const contractsPackage = '@biconomy-devx/account-contracts-v2';
const folder = `${contractsPackage}/contracts/smart-account`;
const sources = {
  SmartAccount: `${folder}/SmartAccount.sol`,
  SmartAccountFactory: `${folder}/factory/SmartAccountFactory.sol`,
  EcdsaOwnershipRegistryModule: `${folder}/modules/EcdsaOwnershipRegistryModule.sol`,
} as const;

/** Packages that the sources import, and the names under which the right versions are installed. */
const installedAs: Readonly<Record<string, string>> = {
  [contractsPackage]: contractsPackage,
  '@openzeppelin/contracts': '@openzeppelin/contracts-4',
  '@account-abstraction/contracts': '@account-abstraction/contracts-0.6',
};

const hex = z.string().transform((digits): Hex => `0x${digits}`);
const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          abi: z.custom<Abi>((value) => Array.isArray(value)),
          evm: z.object({ bytecode: z.object({ object: hex }) }),
        }),
      ),
    )
    .default({}),
});

export type BiconomyContract = { readonly abi: Abi; readonly creationCode: Hex };

/**
 * The published sources of Biconomy's smart account v2, compiled with the one compiler version they allow. Takes some
 * seconds: it is the whole Solidity compiler in WebAssembly.
 */
export function compileBiconomyAccount(): Readonly<Record<keyof typeof sources, BiconomyContract>> {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.values(sources).map((path) => [path, { content: readSource(path) }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const imports = (path: string) => ({ contents: readSource(path) });
  const output = outputSchema.parse(JSON.parse(solc.compile(JSON.stringify(input), { import: imports })));
  const failures = output.errors.filter(({ severity }) => severity === 'error');
  if (failures.length > 0) throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));

  const pick = (name: keyof typeof sources): BiconomyContract => {
    const contract = output.contracts[sources[name]]?.[name];
    if (contract === undefined) throw new Error(`The compiler returned no contract ${name}.`);
    return { abi: contract.abi, creationCode: contract.evm.bytecode.object };
  };
  return {
    SmartAccount: pick('SmartAccount'),
    SmartAccountFactory: pick('SmartAccountFactory'),
    EcdsaOwnershipRegistryModule: pick('EcdsaOwnershipRegistryModule'),
  };
}

function readSource(path: string): string {
  const [scope, name, ...file] = path.split('/');
  const installed = installedAs[`${scope}/${name}`];
  if (installed === undefined) throw new Error(`The sources import ${path}, which is of no known package.`);
  return readFileSync(devPackageFile(installed, file.join('/')), 'utf8');
}
