import { TimeoutError } from 'viem';
import type { KeyConfig } from '../../domain/signing/signer-config.ts';
import type { CircuitBreaker } from '../rpc/circuit-breaker.ts';
import type { Times } from '../rpc/create-endpoint.ts';
import type { SignerBackend } from './signer-backend.ts';

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
