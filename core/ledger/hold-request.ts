import type { Address } from 'viem';

/** Which gas tank: what one funding wallet has put on chain for one paymaster contract. */
export type TankKey = { readonly chainId: number; readonly contract: Address; readonly wallet: Address };

/** What the chain says there is to spend, as last seen, in wei. */
export type ChainFunds = {
  /** The contract's deposit at the EntryPoint, which all its tanks share. */
  readonly chainDeposit: bigint;
  /** The wallet's own balance in the contract, where the contract keeps one for each customer. */
  readonly walletBalance?: bigint;
};

/** A worst case to set aside before a signature is made. */
export type HoldRequest = ChainFunds & {
  readonly tank: TankKey;
  readonly paymasterId: string;
  readonly sender: Address;
  readonly nonce: bigint;
  /** Wei; the most the sponsor can be charged. */
  readonly amount: bigint;
  /** Unix seconds. */
  readonly validUntil: number;
};

/** The hold, or how much was missing, or `busy` when too many wait for a decision. */
export type HoldOutcome =
  | { readonly held: true; readonly holdId: number }
  | { readonly held: false; readonly available: bigint }
  | { readonly held: false; readonly busy: true };
