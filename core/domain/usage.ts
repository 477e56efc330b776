import { usageDimensions } from '@tollfree/contract/usage';
import type { DecisionOutcome } from './decision.ts';
import type { DayQuery } from './utc-days.ts';

/** What usage is told apart by. */
export { usageDimensions };
export type UsageDimension = (typeof usageDimensions)[number];

/** Which usage: of UTC days from `from` to `until`, both included (`YYYY-MM-DD`), most costly first. */
export type UsageQuery = DayQuery & { readonly by: UsageDimension };

/** Usage of one day, sender, contract, method, token, attribution code or outcome (`key`). Amounts in wei. */
export type UsageRow = {
  readonly key: string;
  readonly decisions: Readonly<Record<DecisionOutcome, number>>;
  /** Operations that landed. */
  readonly landed: number;
  /** What landed operations have cost the gas tank. */
  readonly charge: bigint;
  /** What of that users paid for in tokens; the rest was sponsored. */
  readonly usersPaid: bigint;
  /** What the charges were worth when each was booked, in millionths of a USD; those of no known price left out. */
  readonly chargeUsdMicros: bigint;
  /** Landed operations whose charge has no known price, so that `chargeUsdMicros` leaves them out. */
  readonly unpriced: number;
  /** What is still held for signatures. */
  readonly held: bigint;
};
