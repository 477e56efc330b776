import type { Address } from 'viem';
import type { Secret } from '../base/values/secret.ts';

/** The maximum cost of a second paymaster, in millionths of a USD, by the UTC calendar. */
export type UpstreamBudget = {
  readonly usdMicrosPerDay: bigint;
  readonly usdMicrosPerMonth: bigint;
  /** The share of the day's budget for requests of one client address: 0.25 is a quarter. */
  readonly maxSharePerClient: number;
};

/** A second paymaster (ERC-7677) that answers while ours cannot. Its vendor bills the operator. */
export type UpstreamConfig = {
  readonly url: Secret<string>;
  /** Sent as the last parameter of each question. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The accounts whose paymasters may use it. */
  readonly accounts: 'all' | readonly string[];
  /** The only paymaster contracts that an answer may name. */
  readonly paymasters: readonly Address[];
  readonly budget: UpstreamBudget;
  /** Most gas that the paymaster may use for its validation and `postOp` together. */
  readonly maxPaymasterGas: number;
  /** For each of at most two questions. */
  readonly timeoutMs: number;
};
