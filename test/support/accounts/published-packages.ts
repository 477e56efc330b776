import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Address, getCreate2Address, type Hex } from 'viem';
import { z } from 'zod';
import { packageFile } from '../packages/pack.ts';

const code = z.templateLiteral(['0x', z.string()]);
const artifactSchema = z.object({ bytecode: code, deployedBytecode: code });

/** Through which the Safe contracts are put on chains, by CREATE2. */
export const safeSingletonFactory: Address = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7';

/** The compiled contract in a file of an installed package; its immutables are zeros in `deployedBytecode`. */
export function readArtifact(packageName: string, file: string): z.infer<typeof artifactSchema> {
  return artifactSchema.parse(JSON.parse(readFileSync(packageFile(packageName, file), 'utf8')));
}

/** A contract of Safe 1.4.1. */
export function safeArtifact(contract: string) {
  const name = contract.split('/').at(-1);
  return readArtifact('@safe-global/safe-contracts', `build/artifacts/contracts/${contract}.sol/${name}.json`);
}

/** A contract of Safe 1.5.0. */
export function safe150Artifact(contract: string) {
  const name = contract.split('/').at(-1);
  return readArtifact('@safe-global/safe-smart-account', `build/artifacts/contracts/${contract}.sol/${name}.json`);
}

/** A contract of Safe's modules for ERC-4337, 0.3.0. */
export function safeModuleArtifact(contract: string) {
  return readArtifact('@safe-global/safe-4337', `build/artifacts/contracts/${contract}.sol/${contract}.json`);
}

/** Where this creation code is put with the salt zero. */
export function addressMade(from: Address, bytecode: Hex): Address {
  return getCreate2Address({ from, salt: `0x${'00'.repeat(32)}`, bytecode });
}

/** A module of an installed package, past its `exports`. */
export function importPublished(packageName: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  return import(pathToFileURL(packageFile(packageName, file)).href);
}

/** The addresses that files of installed packages name, in lower case. */
export function addressesIn(...files: readonly (readonly [packageName: string, file: string])[]): readonly string[] {
  const text = files.map(([name, file]) => readFileSync(packageFile(name, file), 'utf8')).join('\n');
  return [...text.matchAll(/\b0x[0-9a-f]{40}\b/gi)].map(([address]) => address.toLowerCase());
}
