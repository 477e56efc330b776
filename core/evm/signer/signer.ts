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
type SignerBackends = {
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

/**
 * The keys of a chain as the configuration has them, the newest first. `complaints`: by contract version, why the newest key
 * did not sign for it when it was asked, and what fixes that; undefined before any was asked.
 */
export type SignersNow = {
  readonly keys: readonly Signer[];
  readonly complaints: ReadonlyMap<string, { readonly text: string; readonly remedy?: string }> | undefined;
};

/** The signing key could not be opened. The message says why and holds nothing of the key or the password. */
export class SignerConfigError extends Error {
  override readonly name = 'SignerConfigError';
}

/** No one who has the key has signed. The message is for the client: it names no place and repeats no one's words. */
export class SignerUnavailableError extends Error {
  override readonly name = 'SignerUnavailableError';

  constructor(cause?: unknown) {
    super('The signer does not respond at the moment. Nothing was signed; send the same request again.', { cause });
  }
}
