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
