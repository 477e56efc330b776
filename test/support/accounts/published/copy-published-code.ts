import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem';
import { contractsOf, copyContracts } from '../../../../server/dev/devnet/copy-contracts.ts';
import type { Devnet } from '../../../../server/dev/devnet/devnet.ts';

/** What a kind of account needs on a chain: the contracts of entries of the catalogue, others, and words of their storage. */
export type PublishedContracts = {
  readonly kinds: readonly string[];
  readonly others?: readonly Address[];
  readonly words?: readonly { readonly address: Address; readonly slot: Hex }[];
};

/** Where Solidity keeps the value of an address in the mapping that has the first slot, or another. */
export function mappingSlot(key: Address, slot = 0n): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [key, slot]));
}

/**
 * Copies published contracts from a node of a public chain to the same addresses of a development chain, once. Throws for a contract that
 * the public chain does not have.
 */
export async function copyPublishedCode(
  { client }: Pick<Devnet, 'client'>,
  nodeUrl: string,
  { kinds, others = [], words = [] }: PublishedContracts,
): Promise<void> {
  const named = others.map((address) => ({ name: 'contract', address }));
  await copyContracts(client, nodeUrl, { contracts: [...contractsOf(kinds), ...named], words });
}
