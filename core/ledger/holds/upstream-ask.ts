import type { Refusal } from '../../domain/result/refusal.ts';
import type { UpstreamBudget } from '../../domain/upstream-config.ts';

/** That a second paymaster is to be asked, once its budget has room for the worst case. */
export type UpstreamAsk = {
  /** The worst case, in millionths of a USD. */
  readonly usdMicros: bigint;
  readonly budget: UpstreamBudget;
  /** Why ours does not sign: the answer when the budget has no room. */
  readonly outage: Refusal;
  /** Until when an answer is awaited, in Unix seconds. */
  readonly askedUntil: number;
};

/** What was set aside for one question, in millionths of a USD, on which UTC day (Unix seconds). */
export type UpstreamReservation = {
  readonly added: bigint;
  readonly day: number;
  /** What the same request was answered before, as JSON. Then no one is asked again. */
  readonly answer?: string;
};
