import type { Address } from 'viem';
import type { LimitScope, LimitUnit, LimitWindow } from '../policy.ts';

/** What is left in one limit: of the policy, of the apiKey, or of the uses or the budget of a ticket. Amounts in the unit. */
export type LimitAllowance = {
  readonly per: LimitScope | 'key' | 'ticket';
  readonly window: LimitWindow;
  readonly unit: LimitUnit;
  readonly max: bigint;
  /** Nothing while what has been used of it is not counted yet. */
  readonly left: bigint;
  /** Unix seconds at which its window ends, and the next one begins. Absent of one that never ends. */
  readonly until?: number;
  /** Of which contract or method it is; then `operations` are calls. Absent of one on all operations. */
  readonly contract?: Address;
  readonly method?: string;
};

/** Why budgets of the account leave nothing: of one all is used, or the price of the coin is not known to count with. */
export const budgetStops = ['used up', 'not counted'] as const;

/**
 * What budgets of the account leave, where that is nothing. How much there is otherwise is not for everybody who has the URL, nor how
 * many share it.
 */
export type BudgetStop = {
  readonly why: (typeof budgetStops)[number];
  /** Unix seconds at which the windows that are used up have ended. Absent of one that never does, and where it is not counted. */
  readonly until?: number;
};

/** What is left for a user or a sender. The operator's caps and the gas tank may leave less. */
export type Allowance = {
  readonly limits: readonly LimitAllowance[];
  /** Absent where budgets leave something, or there are none. */
  readonly budget?: BudgetStop;
  /** Unix seconds. */
  readonly ticketExpiresAt?: number;
};

/**
 * Which limits are asked about: those of a ticket, of a sender, or of both; and those for all together. `policyId` chooses the policy, as
 * it does in a request; the default one when absent.
 */
export type AllowanceOwner = { readonly ticket?: string; readonly sender?: string; readonly policyId?: string };
