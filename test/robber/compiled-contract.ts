import { join } from 'node:path';
import type { Hex } from 'viem';
import { compileSolidity } from '../../tools/compile-solidity.ts';

type Name =
  | 'BurningAccount'
  | 'CoinbaseFactoryStandIn'
  | 'CoinbaseStandIn'
  | 'EcdsaValidator'
  | 'GeneratingBundler'
  | 'GreedyModule'
  | 'GreedyReceiver'
  | 'HoardingAccount'
  | 'SponsoredTarget';

const compiled = new Map<Name, Hex>();

/** The creation code of one of the robber's own contracts. */
export function compiledContract(name: Name): Hex {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const contract = compileSolidity(join(import.meta.dirname, fileOf(name))).get(name);
  if (contract === undefined) throw new Error(`There is no contract ${name}.`);
  compiled.set(name, contract.creationBytecode);
  return contract.creationBytecode;
}

/** Contracts in the file of another one. */
const files: Partial<Record<Name, string>> = {
  CoinbaseFactoryStandIn: 'CoinbaseStandIn',
  GreedyReceiver: 'SponsoredTarget',
};

function fileOf(name: Name): string {
  if (name === 'EcdsaValidator') return '../support/accounts/contracts/EcdsaValidator.sol';
  return `contracts/${files[name] ?? name}.sol`;
}
