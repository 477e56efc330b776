import * as Hash from 'ox/Hash';
import * as Hex from 'ox/Hex';
import type { Hex as HexType } from 'viem';

/** `"\x19Ethereum Signed Message:\n32"` of EIP-191, before a 32-byte hash. */
const messagePrefix = Hex.fromString('\x19Ethereum Signed Message:\n32');

/** The hash that is signed for a digest: as an EIP-191 message. Every paymaster contract family expects this. */
export function messageHash(digest: HexType): HexType {
  return Hash.keccak256(Hex.concat(messagePrefix, digest));
}
