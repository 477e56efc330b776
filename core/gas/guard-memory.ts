import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Address, type Hex, size } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import type { Result } from '../domain/result/result.ts';
import type { GasLimits, UserOperation } from '../domain/user-operation.ts';
import type { SeenAccount } from '../node/account-codes/seen-account.ts';
import type { DataFee } from './fees/data-fee.ts';
import { mayCarryAuthorization } from './gas-schedule.ts';

/** How long an estimate is used, in milliseconds. */
export const estimateLifetimeMs = 60_000;
/** How long a failed estimate is cached, in milliseconds. */
export const refusalLifetimeMs = 2_000;
/** Most estimates cached, about 10 MB. Beyond it the least recently used one is evicted. */
const maxEstimates = 10_000;
/** An account with code of its own (not a proxy) adds up to 50 kB. Total bytes for all of them. */
const maxBytes = 50_000_000;
const bytesOfEstimate = 1_000;

/** Our own estimate for an account's call. */
export type KnownEstimate = {
  /** What the operation needs, excluding the data fee of a layer 2, which depends on the operation's price. */
  readonly withoutDataFee: GasLimits;
  /** The most `preVerificationGas` that is signed, also excluding the data fee. */
  readonly maxPreVerificationGas: bigint;
  /** Whether the limits suffice; if not, they are what it needs at least. */
  readonly suffices: boolean;
  readonly dataFee: DataFee;
  /** The sender's state in the simulation, if it was read: the estimate is valid while it is unchanged. */
  readonly account?: SeenAccount;
  /** The nonce used for the estimate. */
  readonly nonce: bigint;
  /** The last limits that were tried and sufficed. */
  proven: GasLimits;
};

type Made = Result<KnownEstimate>;

/** Caches recent estimates. */
type EstimateMemory = {
  /** The cached estimate, or the first estimate for the key while it is in progress. */
  find(key: string): Made | Promise<Made> | undefined;
  /** Makes a new estimate and caches it; a refusal only briefly. */
  remember(key: string, estimate: () => Promise<Made>): Promise<Made>;
};

/**
 * The cache key: everything that an estimate depends on, on one chain. It excludes the nonce. Only the signature's length is
 * included, since `preVerificationGas` depends on it.
 */
export function estimateKey(request: {
  readonly operation: UserOperation;
  readonly entryPoint: Address;
  readonly payment: string;
  readonly mayRevert?: boolean;
  readonly unseenVerificationGas?: bigint;
}): string {
  const { sender, initCode, callData, signature } = request.operation;
  const { eip7702Auth, eip7702Delegate = '', isFreshSender = false } = request.operation;
  // The delegate's code runs, and an authorization that is paid for costs gas of its own.
  const paid = `${mayCarryAuthorization(request.operation)} ${isFreshSender}`;
  const code = `${eip7702Auth === undefined ? '' : 'authorized '}${eip7702Delegate} ${paid}`;
  const payment = request.mayRevert === true ? `${request.payment} reverting` : request.payment;
  const parts: readonly (string | Hex)[] = [request.entryPoint, sender, payment, initCode, code, callData];
  return createHash('sha256')
    .update(`${parts.join(' ')} ${size(signature)} ${request.unseenVerificationGas ?? 0n}`)
    .digest('base64');
}

/** A bounded cache; concurrent first requests for the same key share one estimate. */
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

/**
 * How long the cached state of an account is used, in milliseconds, counted from the question to the node. Changing the
 * account's code in that time gains nothing over asking slightly earlier: a signature is valid for minutes, and the code at
 * landing time runs.
 */
export const accountLifetimeMs = 1_000;
/** Most accounts kept at once, and total characters of their code. */
const maxAccounts = 10_000;
const maxCharacters = 20_000_000;
const charactersOfAccount = 1_000;

/** A sender, and the code that its authorization sets. */
type Sender = Pick<UserOperation, 'sender' | 'eip7702Auth'>;
type Looked = Result<SeenAccount>;

/** Caches accounts that were read recently. */
export type AccountMemory = {
  /** The cached account. If it is too old, `look` is called, once for all concurrent requests. */
  see(sender: Sender, look: () => Promise<Looked>): Looked | Promise<Looked>;
  /** Keeps what a simulation read; the time is when it was requested, in Unix milliseconds. */
  keep(sender: Sender, seen: Looked, askedAt: number): void;
};

/** A bounded cache. Failures are not cached. */
export function createAccountMemory(clock: Clock): AccountMemory {
  const kept = new LRUCache<string, { readonly seen: Looked; readonly askedAt: number }>({
    max: maxAccounts,
    maxSize: maxCharacters,
    sizeCalculation: ({ seen }) => charactersOfAccount + (seen.ok ? seen.value.code.length : 0),
  });
  const underWay = new Map<string, { readonly looking: Promise<Looked>; readonly askedAt: number }>();

  /** If the clock was set back, the age is unknown. */
  function isFresh(found: { readonly askedAt: number } | undefined): found is { readonly askedAt: number } {
    return found !== undefined && Math.abs(clock.now() - found.askedAt) < accountLifetimeMs;
  }

  function keep(who: string, seen: Looked, askedAt: number): void {
    const before = kept.get(who);
    const isOlder = isFresh(before) && before.askedAt > askedAt;
    if (seen.ok && !isOlder) kept.set(who, { seen, askedAt });
  }

  async function ask(who: string, look: () => Promise<Looked>, askedAt: number): Promise<Looked> {
    try {
      const seen = await look();
      keep(who, seen, askedAt);
      return seen;
    } finally {
      if (underWay.get(who)?.askedAt === askedAt) underWay.delete(who);
    }
  }

  return {
    keep: (sender, seen, askedAt) => keep(nameOf(sender), seen, askedAt),
    see(sender, look) {
      const who = nameOf(sender);
      const found = kept.get(who);
      if (isFresh(found)) return found.seen;
      const asked = underWay.get(who);
      if (isFresh(asked)) return asked.looking;
      const askedAt = clock.now();
      const looking = ask(who, look, askedAt);
      underWay.set(who, { looking, askedAt });
      return looking;
    },
  };
}

function nameOf({ sender, eip7702Auth }: Sender): string {
  return `${sender} ${eip7702Auth?.address ?? ''}`;
}
