import { type Address, type Hex, TimeoutError } from 'viem';
import type { KeyConfig } from '../../domain/signer-config.ts';
import type { CircuitBreaker } from '../rpc/circuit-breaker.ts';
import type { Times } from '../rpc/create-endpoint.ts';

/** A third party that holds keys and signs with them. Its answers are verified. */
export type SignerBackend = {
  /** The addresses of its keys, by its own claim. */
  readAddresses(signal: AbortSignal): Promise<readonly Address[]>;
  /** Signs a digest as an EIP-191 message. */
  sign(digest: Hex, signal: AbortSignal): Promise<RawSignature>;
  close(): void;
};

/** Both halves of a secp256k1 signature. Recovery determines which of two keys made it; s may be high. */
export type RawSignature = { readonly r: bigint; readonly s: bigint };

/**
 * A backend did not do what was asked. The message says what, and quotes nothing of the backend. `isWrong`: its answer
 * cannot come from this key.
 */
export class SignerBackendError extends Error {
  override readonly name = 'SignerBackendError';
  readonly isWrong: boolean;

  constructor(message: string, options: { readonly isWrong?: boolean; readonly cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.isWrong = options.isWrong ?? false;
  }
}

/** A backend with a key. `name` is for the operator: its position in the list, from 1, and its kind. */
export type TimedBackend = {
  readonly name: string;
  readonly kind: KeyConfig['kind'];
  readonly backend: SignerBackend;
  /** For one complete question. */
  readonly timeoutMs: number;
  readonly breaker: CircuitBreaker;
};

/** Asks a backend; a late answer is discarded. Rejects with viem's `TimeoutError` then. */
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
