import * as api from '@tollfree/contract/budget';
import { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { amount, message, text } from '../base/message-schema.ts';

/** Windows of budgets, as for limits of policies but without hours: worth is recorded by day. */
export const budgetWindows = ['day', 'week', 'month', 'ever'] as const;
export type BudgetWindow = (typeof budgetWindows)[number];

/** The settings of a budget. Without `paymasterIds` it applies to all of the account's paymasters, including future ones. */
export const BudgetTermsSchema = message('BudgetTerms', {
  ...fieldsOfApi(api.BudgetTermsSchema),
  /** `day`, `week`, `month` or `ever`. */
  window: text,
  /** The most in each window, in millionths of a USD. */
  maxUsdMicros: amount,
});
export type BudgetTerms = z.output<typeof BudgetTermsSchema>;

/**
 * How much several paymasters of an account may sponsor together in each window, on any chains. Times in Unix seconds,
 * amounts in millionths of a USD.
 */
export const BudgetSchema = message('Budget', fieldsOfApi(api.BudgetSchema, { window: z.enum(budgetWindows) }));
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
