import type { Address } from 'viem';
import type { LimitScope, LimitUnit, LimitWindow } from '../policy.ts';

/** What is left in one limit: of the policy, or of the uses or the budget of a ticket. Amounts in the unit. */
export type LimitAllowance = {
  readonly per: LimitScope | 'ticket';
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

/** What is left for a user or a sender. The operator's caps and the gas tank may leave less. */
export type Allowance = {
  readonly limits: readonly LimitAllowance[];
  /** Unix seconds. */
  readonly ticketExpiresAt?: number;
};

/** Which limits are asked about: those of a ticket, of a sender, or of both; and those for all together. */
export type AllowanceOwner = { readonly ticket?: string; readonly sender?: string };
