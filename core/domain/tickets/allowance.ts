import { z } from 'zod';
import { amount, hex, listOf, message, seconds, text } from '../../base/message-schema.ts';
import { limitUnits, limitWindows } from '../policy.ts';

/**
 * What is left in one limit: of the policy, of the apiKey, or of the uses or the budget of a ticket. Amounts in the
 * unit.
 */
const LimitAllowanceSchema = message('LimitAllowance', {
  per: z.enum(['sender', 'subject', 'total', 'key', 'ticket']),
  window: z.enum(limitWindows),
  unit: z.enum(limitUnits),
  max: amount,
  /** Nothing while what has been used of it is not counted yet. */
  left: amount,
  /** Unix seconds at which its window ends, and the next one begins. Absent of one that never ends. */
  until: seconds.exactOptional(),
  /** Of which contract or method it is; then `operations` are calls. Absent of one on all operations. */
  contract: hex.exactOptional(),
  /** The method of it, as the policy names it. Absent: all. */
  method: text.exactOptional(),
});
export type LimitAllowance = z.output<typeof LimitAllowanceSchema>;

/** Why budgets of the account leave nothing: of one all is used, or the price of the coin is not known to count with. */
const budgetStops = ['used up', 'not counted'] as const;

/**
 * What budgets of the account leave, where that is nothing. How much there is otherwise is not for everybody who has
 * the URL, nor how many share it.
 */
const BudgetStopSchema = message('BudgetStop', {
  why: z.enum(budgetStops),
  /**
   * Unix seconds at which the windows that are used up have ended. Absent of one that never does, and where it is not
   * counted.
   */
  until: seconds.exactOptional(),
});
export type BudgetStop = z.output<typeof BudgetStopSchema>;

/** What is left for a user or a sender. The operator's caps and the gas tank may leave less. */
export const AllowanceSchema = message('Allowance', {
  limits: listOf(LimitAllowanceSchema),
  /** Absent where budgets leave something, or there are none. */
  budget: BudgetStopSchema.exactOptional(),
  /** Absent without a ticket. */
  ticketExpiresAt: seconds.exactOptional(),
});
export type Allowance = z.output<typeof AllowanceSchema>;
