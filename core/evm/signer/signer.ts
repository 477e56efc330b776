import type { Address, Hex } from 'viem';
import type { KeyLocation } from '../../domain/signing/contract-signer.ts';

/** Signs paymaster digests. */
export type Signer = {
  readonly address: Address;
  /**
   * EIP-191 signature of a 32-byte hash: 65 bytes, `r ‖ s ‖ v`, low s, v 27 or 28.
   *
   * Rejects with a {@link SignerUnavailableError} when the key is elsewhere and no one there signs.
   */
  signDigest(digest: Hex): Promise<Hex>;
  /** Where the key is, in the order in which the places are asked. */
  readonly where?: () => readonly KeyLocation[];
  /** Of a key that is elsewhere, or in several places. */
  readonly backends?: SignerBackends;
};

/** Where a key is, when it takes someone else to sign. */
export type SignerBackends = {
  /**
   * Asks every place whether it has the key and signs with it.
   *
   * @throws StartError when one has another key, or none answers.
   */
  check(): Promise<void>;
  /**
   * Why nothing can be signed now; undefined when at least one place signs. Has places that have rested tried again.
   */
  fault(): string | undefined;
  /** What is wrong with some of the places, in words; undefined when all sign. */
  complaint(): string | undefined;
  close(): void;
};
