import type { Address } from 'viem';

/** What is set aside in a gas tank for signatures of one operation, which may land. */
export type OpenHold = {
  readonly holdId: number;
  readonly chainId: number;
  /** The paymaster contract. */
  readonly contract: Address;
  /** Whose gas tank it is. */
  readonly wallet: Address;
  readonly paymasterId: string;
  readonly sender: Address;
  readonly nonce: bigint;
  /** Wei. */
  readonly amount: bigint;
  /** Unix seconds. */
  readonly createdAt: number;
  /** The end of the last signature, by chain time in Unix seconds; absent where they never end. */
  readonly validUntil?: number;
};

/** A hold that the operator released, and what showed that nothing could land under it any more, in words. */
export type ReleasedHold = Pick<OpenHold, 'holdId' | 'sender' | 'nonce' | 'amount'> & { readonly ground: string };
