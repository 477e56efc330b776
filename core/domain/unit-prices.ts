/**
 * What a chain charges for the steps that contracts are made of, in gas. They differ between forks and chains, so the gas
 * that a contract needs is written as a number of these steps and a rest that every chain charges alike.
 */
export type UnitPrices = {
  /** Writing a slot that was zero, on first access. */
  readonly newSlot: bigint;
  /** Changing a slot that was not zero to another such value, on first access. */
  readonly changedSlot: bigint;
  /** The first access of an account in a transaction. */
  readonly coldAccount: bigint;
  /** What a call with value costs more if its receiver did not exist. */
  readonly newAccount: bigint;
  /** Each byte of the code that a creation leaves. */
  readonly codeByte: bigint;
  /** A call with value to an account that exists and was touched before, its stipend included. */
  readonly valueCall: bigint;
};
