import * as api from '@tollfree/contract/usage';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { count, message, travelsAs } from '../base/message-schema.ts';
import type { DecisionOutcome } from './decision.ts';

/** The dimensions of usage. */
export const { usageDimensions } = api;
export type UsageDimension = (typeof usageDimensions)[number];

/** The dimensions of stored sums. Usage by outcome and in total is read from the sums of days. */
export type UsageSumDimension = Exclude<UsageDimension, 'outcome' | 'total'>;
export const usageSumDimensions = usageDimensions.filter(
  (dimension): dimension is UsageSumDimension => dimension !== 'outcome' && dimension !== 'total',
);

/** Usage of one `key` of a dimension, such as a day, a sender or a method. Amounts in wei. */
const UsageRowFormSchema = message('UsageRow', {
  ...fieldsOfApi(api.UsageRowSchema.omit({ decisions: true })),
  /** Decisions that signed. */
  signed: count,
  quoted: count,
  stub: count,
  refused: count,
});

/** A row of usage, with the decision counts in an object of their own. */
export type UsageRow = Omit<z.output<typeof UsageRowFormSchema>, DecisionOutcome> & {
  readonly decisions: Readonly<Record<DecisionOutcome, number>>;
};

export const UsageRowSchema = travelsAs<UsageRow, typeof UsageRowFormSchema>(
  UsageRowFormSchema,
  ({ decisions, ...row }) => ({ ...row, ...decisions }),
  ({ signed, quoted, stub, refused, ...row }) => ({ ...row, decisions: { signed, quoted, stub, refused } }),
);
