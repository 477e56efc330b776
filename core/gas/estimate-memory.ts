import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Address, type Hex, size } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import type { Result } from '../domain/result/result.ts';
import type { GasLimits, UserOperation } from '../domain/user-operation.ts';
import type { InnerCall } from '../evm/account-decoders/decoder.ts';
import type { SeenAccount } from '../node/account-codes/seen-account.ts';
import type { DataFee } from './fees/data-fee.ts';

/** How long an estimate is used, in milliseconds. */
export const estimateLifetimeMs = 60_000;
/** How long it is remembered that none could be made, in milliseconds. */
export const refusalLifetimeMs = 2_000;
/** Estimates kept at once, some 10 MB. Beyond it the least recently used one is forgotten. */
const maxEstimates = 10_000;
/** An account with code of its own, no proxy, takes up to 50 kB more of them: bytes of all together. */
const maxBytes = 50_000_000;
const bytesOfEstimate = 1_000;

/** Our own estimate for an account's call. */
export type KnownEstimate = {
  /** What the operation needs, the data fee of a layer 2 left out: that one depends on the operation's price. */
  readonly withoutDataFee: GasLimits;
  /** The most `preVerificationGas` that is signed, the data fee left out too. */
  readonly maxPreVerificationGas: bigint;
  /** Whether that suffices; else it is what it needs at least. */
  readonly suffices: boolean;
  readonly dataFee: DataFee;
  /** The sender as it was simulated, where that was looked at: the estimate is good for as long as it is the same. */
  readonly account?: SeenAccount;
  /** The nonce it was made with. */
  readonly nonce: bigint;
  /** The last limits that were tried out and sufficed. */
  proven: GasLimits;
};

type Made = Result<KnownEstimate>;

/** The estimates that were made lately. */
type EstimateMemory = {
  /** What is known, or the first estimate for the key while it is being made. */
  find(key: string): Made | Promise<Made> | undefined;
  /** Makes a new estimate and keeps it, a refusal for a moment only. */
  remember(key: string, estimate: () => Promise<Made>): Promise<Made>;
};

/**
 * Names what an estimate depends on, on one chain. The nonce is not in it. Of the signature only the length is, which
 * `preVerificationGas` depends on.
 */
export function estimateKey(request: {
  readonly operation: UserOperation;
  readonly entryPoint: Address;
  readonly payment: string;
  readonly mayRevert?: boolean;
  readonly calls?: readonly InnerCall[] | undefined;
}): string {
  const { sender, initCode, callData, signature } = request.operation;
  const { eip7702Auth, eip7702Delegate = '', paysAuthorization = false, isFreshSender = false } = request.operation;
  // The delegate is the code that runs; an authorization that is paid for costs gas of its own.
  const paid = `${paysAuthorization} ${isFreshSender}`;
  const code = eip7702Auth === undefined ? eip7702Delegate : `authorized ${eip7702Delegate} ${paid}`;
  const payment = request.mayRevert === true ? `${request.payment} reverting` : request.payment;
  // A caller that names another kind of account may have other calls read in the same bytes.
  const alone = (request.calls ?? []).map(({ target, value, data }) => `${target} ${value} ${data}`);
  const parts: readonly (string | Hex)[] = [request.entryPoint, sender, payment, initCode, code, callData, ...alone];
  return createHash('sha256')
    .update(`${parts.join(' ')} ${size(signature)}`)
    .digest('base64');
}

/** A bounded memory; the first requests for the same key share one estimate. */
export function createEstimateMemory(clock: Clock, capacity = maxEstimates): EstimateMemory {
  const kept = new LRUCache<string, { readonly made: Made; readonly until: number }>({
    max: capacity,
    maxSize: maxBytes,
    sizeCalculation: ({ made }) => bytesOfEstimate + (made.ok ? (made.value.account?.code.length ?? 0) : 0),
  });
  const underWay = new Map<string, Promise<Made>>();

  function recall(key: string): Made | undefined {
    const entry = kept.get(key);
    if (entry === undefined || clock.now() < entry.until) return entry?.made;
    kept.delete(key);
    return undefined;
  }

  async function make(key: string, estimate: () => Promise<Made>): Promise<Made> {
    const made = await estimate();
    const lifetime = made.ok ? estimateLifetimeMs : refusalLifetimeMs;
    kept.set(key, { made, until: clock.now() + lifetime });
    return made;
  }

  return {
    find: (key) => recall(key) ?? underWay.get(key),
    async remember(key, estimate) {
      const making = make(key, estimate);
      if (underWay.has(key)) return making;
      underWay.set(key, making);
      try {
        return await making;
      } finally {
        underWay.delete(key);
      }
    },
  };
}
