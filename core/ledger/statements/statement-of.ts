import type { Address } from 'viem';

/** Whose tanks, and the period in which entries were posted (Unix seconds). */
export type StatementOf = {
  readonly paymasterId: string;
  readonly chainId: number;
  readonly contract: Address;
  readonly wallet: Address;
  /** The contract keeps balances of its customers, and may charge them more than the EntryPoint takes. */
  readonly keepsBalances: boolean;
  readonly from: number;
  readonly until: number;
};
