import type { Address } from 'viem';

/** A registered paymaster (DApp). `version` names a configured paymaster contract of its chain. */
export type Paymaster = {
  readonly paymasterId: string;
  readonly accountId: string;
  readonly name: string;
  readonly chainId: number;
  readonly version: string;
  readonly apiKey: string;
  readonly fundingWallet?: Address;
};
