import { type Address, type Hex, TimeoutError } from 'viem';
import type { KeyConfig } from '../../domain/signing/signer-config.ts';
import type { CircuitBreaker } from '../rpc/circuit-breaker.ts';
import type { Times } from '../rpc/create-endpoint.ts';

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

/**
 * Someone who has a key did not do what he was asked. The message says what, and repeats none of his words.
 * `isWrong`: he answered with something that this key cannot have made.
 */
export class SignerBackendError extends Error {
  override readonly name = 'SignerBackendError';
  readonly isWrong: boolean;

  constructor(message: string, options: { readonly isWrong?: boolean; readonly cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.isWrong = options.isWrong ?? false;
  }
}

/** A place that has a key. `name` is for the operator: where it stands in the list, from 1, and its kind. */
export type TimedBackend = {
  readonly name: string;
  readonly kind: KeyConfig['kind'];
  readonly backend: SignerBackend;
  /** For one question, to its last byte. */
  readonly timeoutMs: number;
  readonly breaker: CircuitBreaker;
};

/** Asks a place; an answer that comes later than it may is never seen. Rejects with viem's `TimeoutError` then. */
export async function askBackend<T>(
  { backend, timeoutMs }: TimedBackend,
  question: (backend: SignerBackend, signal: AbortSignal) => Promise<T>,
  { clock, timers }: Times,
): Promise<T> {
  const controller = new AbortController();
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    stop = timers.at(clock.now() + timeoutMs, () => {
      const cause = new TimeoutError({ body: {}, url: 'of the signer' });
      reject(cause);
      controller.abort(cause);
    });
  });
  try {
    return await Promise.race([question(backend, controller.signal), late]);
  } finally {
    stop();
  }
}
