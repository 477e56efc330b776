import type { Hex } from 'viem';
import type { LimitWindow } from '../../../core/domain/policy.ts';
import type { HoldRequest } from '../../../core/ledger/holds/hold-request.ts';

/** A request, with its calls in words: how often it makes each call that some limit counts; undefined if that is not known. */
export type Asked = {
  readonly request: HoldRequest;
  readonly calls: ReadonlyMap<string, number> | undefined;
};

/** A limit or budget from when it is set until it is removed: set again, it is another one. */
export type LimitLife = {
  readonly per: 'sender' | 'subject' | 'total' | 'key' | 'budget';
  readonly window: LimitWindow;
  readonly unit: 'operations' | 'wei' | 'usdMicros';
  /** The calls that it counts; undefined where it counts operations. */
  readonly called: string | undefined;
  readonly contract?: HoldRequest['sender'];
  readonly method?: string;
  /** Of a budget. */
  readonly name?: string;
  readonly paymasterIds?: readonly string[];
  max: bigint;
};

/** What the sponsor pays of an operation at most, and what counts that. Amounts are those held. */
export type Sponsored = {
  readonly wei: bigint;
  readonly usdMicros: bigint | undefined;
  readonly budgetUsd: bigint | undefined;
  /** The least that its user pays by any of its requests. */
  readonly userPercent: number;
  readonly calls: ReadonlyMap<string, number>;
  readonly user: string | undefined;
  readonly ticket: string | undefined;
  /** When it was last asked for: it counts in the windows of then. */
  readonly at: number;
  readonly countedBy: readonly LimitLife[];
  /** The units in which its ticket counts it. */
  readonly ticketUnits: readonly string[];
};

/** What another paymaster was asked for, in millionths of a USD. */
export type Vendor = {
  readonly reserved: bigint;
  readonly isAnswered: boolean;
  readonly askedUntil: number;
  /** When and for which client it was asked last; what of that is still counted. */
  readonly at: number;
  readonly client: string | undefined;
  readonly countedBy: readonly ('day' | 'month' | 'client')[];
};

/** How an operation landed. Amounts in wei, the worth in millionths of a USD. */
export type Landed = {
  readonly charge: bigint;
  readonly chargeUsd: bigint | undefined;
  /** What it cost without having been paid for, and until when that counts. */
  readonly unpaid: bigint | undefined;
  readonly unpaidUntil: number | undefined;
};

/** One operation that was accepted: all that the model knows, besides deposits and settings, is a list of these. */
export type Operation = {
  readonly holdId: number;
  readonly chainId: number;
  readonly contract: string;
  readonly wallet: string;
  readonly paymasterId: string;
  readonly policyId: string;
  readonly sender: string;
  readonly nonce: bigint;
  /** The key that asked for it first. */
  readonly keyNumber: number;
  readonly madeAt: number;
  readonly state: 'live' | 'settled' | 'released';
  /** It landed after it had been released. */
  readonly isLate: boolean;
  /** An event that used its nonce released it. */
  readonly isReplaced: boolean;
  readonly amount: bigint;
  readonly atRisk: bigint | undefined;
  readonly validUntil: number;
  readonly lastsLong: boolean;
  /** Who asked for most of it. */
  readonly client: string | undefined;
  readonly sponsored: Sponsored | undefined;
  readonly vendor: Vendor | undefined;
  readonly landed: Landed | undefined;
  /** What was granted while it is live, by the key of the request. */
  readonly granted: ReadonlyMap<string, { readonly terms: string; readonly validUntil: number }>;
  /** What finds it on the chain, and whether it is to be paid for after its call. */
  readonly names: ReadonlyMap<Hex, boolean>;
  /** Hashes under which it is relayed, and when they are forgotten. */
  readonly relays: ReadonlySet<Hex>;
  readonly relaysEnd: number | undefined;
};

/** Unix seconds of the beginning of a window, by the UTC calendar. */
export function beginOf(window: LimitWindow, moment: number): number {
  const date = new Date(moment * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (window === 'ever') return 0;
  if (window === 'month') return Date.UTC(year, month) / 1000;
  if (window === 'hour') return Date.UTC(year, month, day, date.getUTCHours()) / 1000;
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return Date.UTC(year, month, window === 'week' ? day - sinceMonday : day) / 1000;
}

/** Unix seconds of the end of the window of a moment; Infinity for one without. */
export function endOf(window: LimitWindow, moment: number): number {
  const begin = new Date(beginOf(window, moment) * 1000);
  if (window === 'ever') return Number.POSITIVE_INFINITY;
  if (window === 'month') return Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1) / 1000;
  return begin.getTime() / 1000 + { hour: 3_600, day: 86_400, week: 604_800 }[window];
}

/** The sponsor's part of wei, of which a user pays so many percent: rounded up. */
export function partOfSponsor(wei: bigint, userPercent: number): bigint {
  return wei - (wei * BigInt(userPercent)) / 100n;
}

/** `whole × part / of`, rounded up. */
export function shareUp(whole: bigint, part: bigint, of: bigint): bigint {
  return of === 0n ? 0n : (whole * part + of - 1n) / of;
}

/** Worth of wei in millionths of a USD at a price for 10^18 wei, rounded up. */
export function worthOf(wei: bigint, price: bigint): bigint {
  return shareUp(wei, price, 10n ** 18n);
}
