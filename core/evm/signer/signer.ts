import type { Address, Hex } from 'viem';

/** Signs paymaster digests. */
export type Signer = {
  readonly address: Address;
  /** EIP-191 signature of a 32-byte hash: 65 bytes, `r ‖ s ‖ v`, low s, v 27 or 28. */
  signDigest(digest: Hex): Promise<Hex>;
};
