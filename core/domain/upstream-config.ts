import type { Address } from 'viem';
import type { Secret } from '../base/values/secret.ts';

/** What a second paymaster may come to at worst, in millionths of a USD, by the UTC calendar. */
export type UpstreamBudget = {
  readonly usdMicrosPerDay: bigint;
  readonly usdMicrosPerMonth: bigint;
  /** The part of the day's budget that requests of one client address may take: 0.25 is a quarter. */
  readonly maxSharePerClient: number;
};

/** A second paymaster (ERC-7677) that answers while ours cannot. Its vendor bills the operator. */
export type UpstreamConfig = {
  readonly url: Secret<string>;
  /** Sent as the last parameter of each question. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The accounts whose paymasters may be answered so. */
  readonly accounts: 'all' | readonly string[];
  /** The only paymaster contracts that an answer may name. */
  readonly paymasters: readonly Address[];
  readonly budget: UpstreamBudget;
  /** Most gas that the paymaster may take for its validation and `postOp` together. */
  readonly maxPaymasterGas: number;
  /** For each of at most two questions. */
  readonly timeoutMs: number;
};
