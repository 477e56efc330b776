import * as Hash from 'ox/Hash';
import * as Hex from 'ox/Hex';
import type { Hex as HexType } from 'viem';

/** `"\x19Ethereum Signed Message:\n32"` of EIP-191, before a 32-byte hash. */
const messagePrefix = Hex.fromString('\x19Ethereum Signed Message:\n32');

/** What is signed of a digest: its hash as a message of EIP-191. Every paymaster contract family takes it so. */
export function messageHash(digest: HexType): HexType {
  return Hash.keccak256(Hex.concat(messagePrefix, digest));
}
