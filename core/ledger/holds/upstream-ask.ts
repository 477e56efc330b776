import type { UpstreamBudget } from '../../domain/chain-config.ts';
import type { Refusal } from '../../domain/result/refusal.ts';

/** A second paymaster is to be asked, if its budget has room for the worst case. */
export type UpstreamAsk = {
  /** The worst case, in millionths of a USD. */
  readonly usdMicros: bigint;
  readonly budget: UpstreamBudget;
  /** Why ours does not sign: this is returned when the budget has no room. */
  readonly outage: Refusal;
  /** Until when an answer is awaited, in Unix seconds. */
  readonly askedUntil: number;
};

/** What was set aside for one question, in millionths of a USD, and the UTC day (Unix seconds). */
export type UpstreamReservation = {
  readonly added: bigint;
  readonly day: number;
  /** The previous answer to the same request, as JSON. The second paymaster is not asked again then. */
  readonly answer?: string;
};
