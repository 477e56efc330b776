import type { Address } from 'viem';

/** Which gas tank: what one funding wallet has put on chain for one paymaster contract. */
export type TankKey = { readonly chainId: number; readonly contract: Address; readonly wallet: Address };

/** A worst case to set aside before a signature is made. */
export type HoldRequest = {
  readonly tank: TankKey;
  readonly paymasterId: string;
  readonly sender: Address;
  readonly nonce: bigint;
  /** Wei; the most the sponsor can be charged. */
  readonly amount: bigint;
  /** Unix seconds. */
  readonly validUntil: number;
  /** The contract's deposit at the EntryPoint as last seen, in wei. */
  readonly chainDeposit: bigint;
};

/** The hold, or how much was missing. */
export type HoldOutcome =
  | { readonly held: true; readonly holdId: number }
  | { readonly held: false; readonly available: bigint };
