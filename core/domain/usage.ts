import { usageDimensions } from '@tollfree/contract/usage';
import type { z } from 'zod';
import { amount, count, message, text, travelsAs } from '../base/message-schema.ts';
import type { DecisionOutcome } from './decision.ts';

/** What usage is told apart by. */
export { usageDimensions };
export type UsageDimension = (typeof usageDimensions)[number];

/** Usage of one day, sender, contract, method, token, attribution code or outcome (`key`). Amounts in wei. */
const UsageRowFormSchema = message('UsageRow', {
  key: text,
  /** Decisions that signed. */
  signed: count,
  quoted: count,
  stub: count,
  refused: count,
  /** Operations that landed. */
  landed: count,
  /** What landed operations have cost the gas tank. */
  charge: amount,
  /** What of that users paid for in tokens; the rest was sponsored. */
  usersPaid: amount,
  /** What the charges were worth when each was booked, in millionths of a USD; those of no known price left out. */
  chargeUsdMicros: amount,
  /** Landed operations whose charge has no known price, so that `chargeUsdMicros` leaves them out. */
  unpriced: count,
  /** What is still held for signatures. */
  held: amount,
});

/** The same with the numbers of decisions in an object of their own. */
export type UsageRow = Omit<z.output<typeof UsageRowFormSchema>, DecisionOutcome> & {
  readonly decisions: Readonly<Record<DecisionOutcome, number>>;
};

export const UsageRowSchema = travelsAs<UsageRow, typeof UsageRowFormSchema>(
  UsageRowFormSchema,
  ({ decisions, ...row }) => ({ ...row, ...decisions }),
  ({ signed, quoted, stub, refused, ...row }) => ({ ...row, decisions: { signed, quoted, stub, refused } }),
);
