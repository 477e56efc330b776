import { z } from 'zod';
import { amount, fieldsOf, message, optionalListOf, seconds, text } from '../base/message-schema.ts';

/** Windows that budgets count in, as limits of policies have them; none of hours: worth is kept by the day. */
export const budgetWindows = ['day', 'week', 'month', 'ever'] as const;
export type BudgetWindow = (typeof budgetWindows)[number];

/**
 * What an account holder says of a budget. Of all the account's paymasters, those to come too, without `paymasterIds`.
 */
export const BudgetTermsSchema = message('BudgetTerms', {
  /** No two budgets of an account have the same. */
  name: text,
  /** Millionths of a USD. */
  maxUsdMicros: amount,
  /** `day`, `week`, `month` or `ever`. */
  window: text,
  /** The paymasters that share it. Absent: all of the account's, those to come too. */
  paymasterIds: optionalListOf(text),
});
export type BudgetTerms = z.output<typeof BudgetTermsSchema>;

/**
 * How much several paymasters of an account may sponsor together in each window, on whichever chains. Times in Unix
 * seconds, amounts in millionths of a USD.
 */
export const BudgetSchema = message('Budget', {
  ...fieldsOf(BudgetTermsSchema),
  budgetId: text,
  window: z.enum(budgetWindows),
  /**
   * What is set aside for signatures that may still land, and what landed ones have cost, in the window of this moment.
   */
  usedUsdMicros: amount,
  /** When that window ends. Absent of one that never does. */
  until: seconds.exactOptional(),
  createdAt: seconds,
  updatedAt: seconds,
});
export type Budget = z.output<typeof BudgetSchema>;

/**
 * How much of a gas tank operations in token mode may cost without being paid for, where the tokens are taken after the
 * call and can be gone by then. Counted is what open ones can cost at worst, and what unpaid ones of the last 24 hours have
 * cost. Parts of what the tank can spend; 0.1 is a tenth, and 0 signs no such operation.
 */
export type UnpaidBudget = {
  /** Of one sender; of open ones those that one client address asks for. His only such operation may take more. */
  readonly maxUnpaidSharePerSender: number;
  /** Of all senders of a paymaster together. */
  readonly maxUnpaidSharePerPaymaster: number;
};

/** What holds when the operator does not say. */
export const defaultUnpaidBudget: UnpaidBudget = { maxUnpaidSharePerSender: 0.01, maxUnpaidSharePerPaymaster: 0.05 };
