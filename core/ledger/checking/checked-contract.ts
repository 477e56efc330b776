import type { CustomerFunding, PaymasterContract } from '../../evm/paymaster-contracts/family/family.ts';

/** A paymaster contract, the versions of paymasters that use it, and how it keeps balances of its customers, if it does. */
export type CheckedContract = {
  readonly location: PaymasterContract;
  readonly versions: readonly string[];
  readonly customers?: CustomerFunding;
};
