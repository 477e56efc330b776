import type { Address, Hex } from 'viem';
import type { KeyLocation } from '../../domain/signer-config.ts';

/** Signs paymaster digests. */
export type Signer = {
  readonly address: Address;
  /**
   * EIP-191 signature of a 32-byte hash: 65 bytes, `r ‖ s ‖ v`, low s, v 27 or 28.
   *
   * Rejects with a {@link SignerUnavailableError} when the key is in a backend and none of its backends signs.
   */
  signDigest(digest: Hex): Promise<Hex>;
  /** The locations of the key, in the order in which they are used. */
  readonly where?: () => readonly KeyLocation[];
  /** For a key in a remote backend, or in several backends. */
  readonly backends?: SignerBackends;
};

/** The backends that hold a key. */
type SignerBackends = {
  /**
   * Checks that every backend has the key and signs with it.
   *
   * @throws StartError when a backend has another key, or none answers.
   */
  check(): Promise<void>;
  /** Why nothing can be signed now; undefined when at least one backend signs. Also triggers retries of paused backends. */
  fault(): string | undefined;
  /** What is wrong with some of the backends, as text; undefined when all sign. */
  complaint(): string | undefined;
  close(): void;
};

/**
 * The configured keys of a chain, newest first. `complaints`: per contract version, why the newest key did not sign for it
 * at the last check, and the fix; undefined before the first check.
 */
export type SignersNow = {
  readonly keys: readonly Signer[];
  readonly complaints: ReadonlyMap<string, { readonly text: string; readonly remedy?: string }> | undefined;
};

/** The signing key could not be opened. The message says why and contains nothing of the key or the password. */
export class SignerConfigError extends Error {
  override readonly name = 'SignerConfigError';
}

/** No backend that has the key signed. The message is for the client: it names no backend and quotes none. */
export class SignerUnavailableError extends Error {
  override readonly name = 'SignerUnavailableError';

  constructor(cause?: unknown) {
    super('The signer does not respond at the moment. Nothing was signed; send the same request again.', { cause });
  }
}
