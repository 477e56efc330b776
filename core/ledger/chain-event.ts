import type { Address, Hex } from 'viem';

/** Where an event stands on chain: its identity in the books. */
export type EventPlace = { readonly blockNumber: bigint; readonly txHash: Hex; readonly logIndex: number };

/** The paymaster contract's deposit rose. Amounts in wei. */
export type DepositEvent = EventPlace & {
  readonly kind: 'deposit';
  readonly contract: Address;
  /** The contract's whole deposit after the event. */
  readonly totalDeposit: bigint;
  /** Who paid and how much, when one account sent the value straight to the EntryPoint or the paymaster. */
  readonly direct?: { readonly wallet: Address; readonly amount: bigint };
};

/** A customer's balance inside a paymaster contract rose; the contract's deposit tells its own story. */
export type CustomerDepositEvent = EventPlace & {
  readonly kind: 'customer-deposit';
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

/** The contract's owner took from its deposit. */
export type WithdrawalEvent = EventPlace & {
  readonly kind: 'withdrawal';
  readonly contract: Address;
  readonly amount: bigint;
};

/** An operation that the contract paid for has landed. */
export type UserOperationLanded = EventPlace & {
  readonly kind: 'user-operation';
  readonly contract: Address;
  readonly userOperationHash: Hex;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly actualGasCost: bigint;
};

/** A confirmed event that the books take in. */
export type ChainEvent = DepositEvent | CustomerDepositEvent | WithdrawalEvent | UserOperationLanded;
