import { LRUCache } from 'lru-cache';
import { type Address, getContractAddress } from 'viem';

/** EntryPoints whose SenderCreator is remembered: those of the configuration are a few. */
const maxRemembered = 100;
const remembered = new LRUCache<Address, Address>({ max: maxRemembered });

/** Every EntryPoint makes its SenderCreator in its constructor: the first contract it creates. */
export function senderCreatorOf(entryPoint: Address): Address {
  const known = remembered.get(entryPoint) ?? getContractAddress({ from: entryPoint, nonce: 1n });
  remembered.set(entryPoint, known);
  return known;
}
