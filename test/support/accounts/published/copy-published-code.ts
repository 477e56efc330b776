import { type Address, createPublicClient, encodeAbiParameters, type Hex, http, keccak256 } from 'viem';
import { catalogue } from '../../../../core/evm/account-codes/catalogue.ts';
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
  const published = createPublicClient({ transport: http(nodeUrl) });
  const named = catalogue
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ codes }) => codes.flatMap(({ mark }) => ('address' in mark ? [mark.address] : [])));
  for (const address of new Set([...named, ...others])) {
    if ((await client.getCode({ address })) !== undefined) continue;
    const bytecode = await published.getCode({ address });
    if (bytecode === undefined) throw new Error(`The chain of ${nodeUrl} has no code at ${address}.`);
    await client.setCode({ address, bytecode });
  }
  for (const { address, slot } of words) {
    const value = await published.getStorageAt({ address, slot });
    if (value !== undefined) await client.setStorageAt({ address, index: slot, value });
  }
}
