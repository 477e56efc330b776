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

/** Mainnet's prices of the Osaka fork, which most chains have. */
export const mainnetPrices: UnitPrices = {
  // EIP-2929: COLD_SLOAD_COST and SSTORE_SET_GAS.
  newSlot: 22_100n,
  // EIP-2200 and EIP-2929: SSTORE_RESET_GAS, of which COLD_SLOAD_COST is a part.
  changedSlot: 5_000n,
  // EIP-2929: COLD_ACCOUNT_ACCESS_COST.
  coldAccount: 2_600n,
  // EIP-150: G_newaccount and G_codedeposit of the Yellow Paper; G_callvalue and a warm access.
  newAccount: 25_000n,
  codeByte: 200n,
  valueCall: 9_100n,
};
