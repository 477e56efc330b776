import type { Address } from 'viem';

/** A stretch of UTC calendar time that a limit counts in; weeks begin on Monday, `ever` never ends. */
export const limitWindows = ['hour', 'day', 'week', 'month', 'ever'] as const;
export type LimitWindow = (typeof limitWindows)[number];

/** Whose sponsorships a limit counts together: each sender's by themselves, or all of the paymaster's. */
export const limitScopes = ['sender', 'total'] as const;
export type LimitScope = (typeof limitScopes)[number];

/** What a limit counts: operations, wei, or millionths of a USD. */
export const limitUnits = ['operations', 'wei', 'usdMicros'] as const;
export type LimitUnit = (typeof limitUnits)[number];

/**
 * At most so much in each window: operations, wei, or millionths of a USD. What counts is what is held for signatures
 * that may still land and what landed ones have cost; what is released is given back. `sender` limits count each sender
 * by itself, `total` ones all of the paymaster's sponsorships together.
 */
export type PolicyLimit = {
  readonly per: LimitScope;
  readonly window: LimitWindow;
  readonly unit: LimitUnit;
  readonly max: bigint;
};

/** Days as ISO counts them: Monday is 1, Sunday 7. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
export type Weekday = (typeof weekdays)[number];

/**
 * A weekly time in which nothing is sponsored, in minutes of the UTC day, `from` included and `until` not. One that ends
 * at or before its beginning runs on into the next day.
 */
export type PolicyPause = { readonly days: readonly Weekday[]; readonly from: number; readonly until: number };

/** What a paymaster's owner allows to be sponsored, beside the registered contracts and the webhooks. */
export type Policy = {
  /** Calls to contracts that are not registered are sponsored too. */
  readonly sponsorAllCalls: boolean;
  /** An operation that only deploys its account, with no call in it, is sponsored. */
  readonly allowAccountDeployment: boolean;
  /** Operations whose own call reverts are signed; they cost the sponsor all the same. */
  readonly allowRevertingOperations: boolean;
  /** Highest worst case of one operation, in wei. */
  readonly maxCostWei?: bigint;
  /** Highest worst case of one operation, in millionths of a USD. */
  readonly maxCostUsdMicros?: bigint;
  /** Highest `maxFeePerGas`, in wei. */
  readonly maxFeePerGas?: bigint;
  /** Only these senders are sponsored, where given. */
  readonly allowedSenders?: readonly Address[];
  readonly blockedSenders: readonly Address[];
  /** Unix seconds; before it nothing is sponsored. */
  readonly notBefore?: number;
  /** Unix seconds; from it on nothing is sponsored. */
  readonly notAfter?: number;
  readonly pauses: readonly PolicyPause[];
  readonly limits: readonly PolicyLimit[];
};

/** The policy of a paymaster whose owner has set none. */
export const defaultPolicy: Policy = {
  sponsorAllCalls: false,
  allowAccountDeployment: false,
  allowRevertingOperations: false,
  blockedSenders: [],
  pauses: [],
  limits: [],
};

/** Bounds of what a policy holds. */
export const policyBounds = { senders: 1_000, limits: 20, pauses: 20 } as const;
