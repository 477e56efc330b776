import { z } from 'zod';
import { amount, fieldsOf, message, optionalListOf, seconds, text } from '../base/message-schema.ts';

/** Windows of budgets, as for limits of policies but without hours: worth is recorded by day. */
export const budgetWindows = ['day', 'week', 'month', 'ever'] as const;
export type BudgetWindow = (typeof budgetWindows)[number];

/** The settings of a budget. Without `paymasterIds` it applies to all of the account's paymasters, including future ones. */
export const BudgetTermsSchema = message('BudgetTerms', {
  /** Unique among the account's budgets. */
  name: text,
  /** Millionths of a USD. */
  maxUsdMicros: amount,
  /** `day`, `week`, `month` or `ever`. */
  window: text,
  /** The paymasters that share it. Absent: all of the account's, including future ones. */
  paymasterIds: optionalListOf(text),
});
export type BudgetTerms = z.output<typeof BudgetTermsSchema>;

/**
 * How much several paymasters of an account may sponsor together in each window, on any chains. Times in Unix seconds,
 * amounts in millionths of a USD.
 */
export const BudgetSchema = message('Budget', {
  ...fieldsOf(BudgetTermsSchema),
  budgetId: text,
  window: z.enum(budgetWindows),
  /** What is held for signatures that may still land, plus the cost of landed ones, in the current window. */
  usedUsdMicros: amount,
  /** End of that window. Absent for one that never ends. */
  until: seconds.exactOptional(),
  createdAt: seconds,
  updatedAt: seconds,
});
export type Budget = z.output<typeof BudgetSchema>;

/**
 * How much of a gas tank token mode operations may cost without payment, where the tokens are taken after the call and may
 * be gone by then. It counts the maximum cost of open operations, and the cost of unpaid ones of the last 24 hours. Values
 * are shares of what the tank can spend; 0.1 is a tenth, and 0 signs no such operation.
 */
export type UnpaidBudget = {
  /**
   * For one sender, counting open operations that the same client address requested. A sender's only such operation may
   * exceed it.
   */
  readonly maxUnpaidSharePerSender: number;
  /** For all senders of a paymaster together. */
  readonly maxUnpaidSharePerPaymaster: number;
};

/** The default budget. */
export const defaultUnpaidBudget: UnpaidBudget = { maxUnpaidSharePerSender: 0.01, maxUnpaidSharePerPaymaster: 0.05 };
