import { SpanKind } from '@opentelemetry/api';
import * as Secp256k1 from 'ox/Secp256k1';
import {
  type Address,
  concat,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  stringToHex,
  TimeoutError,
} from 'viem';
import { traced } from '../../base/traced.ts';
import { StartError } from '../../domain/start-error.ts';
import { messageHash } from '../../evm/signer/create-signer.ts';
import { type Signer, SignerUnavailableError } from '../../evm/signer/signer.ts';
import type { Times } from '../rpc/create-endpoint.ts';
import { askBackend, type RawSignature, SignerBackendError, type TimedBackend } from './signer-backend.ts';

/** The outcome of a signature request; `wrong` is a signature that the key cannot have made. */
export type SigningOutcome = 'signed' | 'late' | 'failed' | 'wrong';

/** Called for every requested signature, with the backend's name. */
export type SigningNote = (backend: string, outcome: SigningOutcome, seconds: number) => void;

/** Signed to check whether a backend signs. No operation has this digest. */
const trialDigest = keccak256(stringToHex('tollfree: does this key sign?'));

/**
 * A key in one or more backends, asked in order. The next backend is asked if one fails, is late, or returns a signature
 * that the key cannot have made. The failed one is then paused, until a background trial succeeds. Late signatures are
 * discarded: if the same digest was signed twice, only one signature is used for one hold.
 */
export function createRemoteSigner(
  address: Address,
  backends: readonly TimedBackend[],
  { times, note }: { readonly times: Times; readonly note?: SigningNote | undefined },
): Signer {
  const { clock } = times;

  async function signAt(backend: TimedBackend, digest: Hex): Promise<Hex> {
    const begunAt = clock.now();
    const done = (outcome: SigningOutcome) => note?.(backend.name, outcome, Math.max(clock.now() - begunAt, 0) / 1_000);
    try {
      const raw = await traced(
        { name: 'remote signature', kind: SpanKind.CLIENT, attributes: { 'tollfree.place': backend.name } },
        () => askBackend(backend, (backend, signal) => backend.sign(digest, signal), times),
      );
      const signature = finishSignature(raw, digest, address);
      backend.breaker.succeeded();
      done('signed');
      return signature;
    } catch (cause) {
      done(outcomeOf(cause));
      // A backend that signs something else, or with another key, is not asked a second time.
      if (isWrong(cause)) backend.breaker.wasOvertaken(cause);
      else backend.breaker.failed(cause);
      throw cause;
    }
  }

  function tryRested(): void {
    for (const backend of backends) {
      if (backend.breaker.takeTrial()) void signAt(backend, trialDigest).catch(() => undefined);
    }
  }

  const resting = () => {
    tryRested();
    return backends.filter(({ breaker }) => breaker.rests()).map(({ name }) => name);
  };

  return {
    address,
    where: () => {
      tryRested();
      return backends.map(({ kind, breaker }) => {
        const since = breaker.restsSince();
        return since === undefined ? { kind } : { kind, awaySince: Math.floor(since / 1_000) };
      });
    },
    signDigest: async (digest) => {
      tryRested();
      let last: unknown;
      for (const backend of backends) {
        if (backend.breaker.rests()) continue;
        try {
          return await signAt(backend, digest);
        } catch (cause) {
          last = cause;
        }
      }
      throw new SignerUnavailableError(last);
    },
    backends: {
      check: () => checkBackends(address, backends, { times, signTrial: (backend) => signAt(backend, trialDigest) }),
      fault: () => (resting().length === backends.length ? `no signer with the key of ${address} responds` : undefined),
      complaint: () => {
        const names = resting();
        return names.length === 0 ? undefined : `the signer at ${names.join(' and at ')} does not sign`;
      },
      close: () => {
        for (const { backend } of backends) backend.close();
      },
    },
  };
}

/** A wrong key is a configuration mistake. An unreachable backend is only paused if another one signs. */
async function checkBackends(
  address: Address,
  backends: readonly TimedBackend[],
  { times, signTrial }: { readonly times: Times; readonly signTrial: (backend: TimedBackend) => Promise<Hex> },
): Promise<void> {
  const failures: unknown[] = [];
  for (const backend of backends) {
    try {
      const owned = await askBackend(backend, (backend, signal) => backend.readAddresses(signal), times);
      if (!owned.some((one) => isAddressEqual(one, address))) throw otherKey(owned, address);
      await signTrial(backend);
    } catch (cause) {
      if (isWrong(cause)) {
        throw new StartError(`The signer at ${backend.name} ${cause.message}.`, { tryAgain: false, cause });
      }
      backend.breaker.wasOvertaken(cause);
      failures.push(cause);
    }
  }
  if (failures.length < backends.length) return;
  throw new StartError(`No signer with the key of ${address} responds.`, { tryAgain: true, cause: failures[0] });
}

function otherKey(owned: readonly Address[], address: Address): SignerBackendError {
  const [only] = owned.length === 1 ? owned : [];
  const has = only === undefined ? 'has other keys' : `has the key of ${only}`;
  return new SignerBackendError(`${has}, and not the configured one of ${address}`, { isWrong: true });
}

function isWrong(cause: unknown): cause is SignerBackendError {
  return cause instanceof SignerBackendError && cause.isWrong;
}

function outcomeOf(cause: unknown): SigningOutcome {
  if (isWrong(cause)) return 'wrong';
  return cause instanceof TimeoutError ? 'late' : 'failed';
}

/** The order of the curve secp256k1 (SEC 2, version 2.0, section 2.4.1). */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The signature in the form for contracts: 65 bytes, low s (EIP-2), v 27 or 28. Recovery finds which of the two matching
 * keys is ours, so a signature by another key, or of another digest, never leaves.
 *
 * @throws SignerBackendError when it is not a signature of this digest by this address.
 */
function finishSignature({ r, s }: RawSignature, digest: Hex, address: Address): Hex {
  const payload = messageHash(digest);
  const low = { r, s: s > order / 2n ? order - s : s };
  const yParity = ([0, 1] as const).find((parity) => isSignedBy(address, payload, { ...low, yParity: parity }));
  if (yParity === undefined) {
    throw new SignerBackendError(
      'returned something that is not a signature of this digest by the configured address',
      {
        isWrong: true,
      },
    );
  }
  return concat([half(low.r), half(low.s), yParity === 0 ? '0x1b' : '0x1c']);
}

function isSignedBy(
  address: Address,
  payload: Hex,
  { r, s, yParity }: RawSignature & { readonly yParity: 0 | 1 },
): boolean {
  try {
    return isAddressEqual(
      Secp256k1.recoverAddress({ payload, signature: { r: half(r), s: half(s), yParity } }),
      address,
    );
  } catch {
    // Neither half may be 0 or reach the order, and not every r is the coordinate of a point.
    return false;
  }
}

function half(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}
