import type { Address, Hex } from 'viem';

/** Someone who has keys and signs with them. What he says is not taken at his word. */
export type SignerBackend = {
  /** Whose keys he says he has. */
  readAddresses(signal: AbortSignal): Promise<readonly Address[]>;
  /** Signs a digest as a message of EIP-191. */
  sign(digest: Hex, signal: AbortSignal): Promise<RawSignature>;
  close(): void;
};

/**
 * Both halves of a signature of secp256k1; what says which of two keys it was is found by trying, and s may be high.
 */
export type RawSignature = { readonly r: bigint; readonly s: bigint };
