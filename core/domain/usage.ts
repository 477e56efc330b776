import { usageDimensions } from '@tollfree/contract/usage';
import type { z } from 'zod';
import { amount, count, message, text, travelsAs } from '../base/message-schema.ts';
import type { DecisionOutcome } from './decision.ts';

/** The dimensions of usage. */
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
  /** What landed operations cost the gas tank. */
  charge: amount,
  /** The part that users paid for in tokens; the rest was sponsored. */
  usersPaid: amount,
  /** The charges' worth when each was booked, in millionths of a USD; those without a known price are excluded. */
  chargeUsdMicros: amount,
  /** Landed operations whose charge has no known price, so that `chargeUsdMicros` excludes them. */
  unpriced: count,
  /** What is still held for signatures. */
  held: amount,
});

/** The same with the decision counts in an object of their own. */
export type UsageRow = Omit<z.output<typeof UsageRowFormSchema>, DecisionOutcome> & {
  readonly decisions: Readonly<Record<DecisionOutcome, number>>;
};

export const UsageRowSchema = travelsAs<UsageRow, typeof UsageRowFormSchema>(
  UsageRowFormSchema,
  ({ decisions, ...row }) => ({ ...row, ...decisions }),
  ({ signed, quoted, stub, refused, ...row }) => ({ ...row, decisions: { signed, quoted, stub, refused } }),
);
