import { LRUCache } from 'lru-cache';
import { type Address, getContractAddress } from 'viem';

/** Most EntryPoints whose SenderCreator is cached; the configuration has only a few. */
const maxRemembered = 100;
const remembered = new LRUCache<Address, Address>({ max: maxRemembered });

/** The SenderCreator of an EntryPoint: the first contract that its constructor creates. */
export function senderCreatorOf(entryPoint: Address): Address {
  const known = remembered.get(entryPoint) ?? getContractAddress({ from: entryPoint, nonce: 1n });
  remembered.set(entryPoint, known);
  return known;
}
