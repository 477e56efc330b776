import type { Address, Hex } from 'viem';

/** Where an event stands on chain: its identity in the ledger. */
export type EventPosition = { readonly blockNumber: bigint; readonly txHash: Hex; readonly logIndex: number };

/** The paymaster contract's deposit rose. Amounts in wei. */
export type DepositEvent = EventPosition & {
  readonly kind: 'deposit';
  readonly contract: Address;
  /** The contract's whole deposit after the event. */
  readonly totalDeposit: bigint;
  /** Whose tank and how much: of one account that sent the value straight to the EntryPoint or the paymaster, or as the contract that fills tanks tells. */
  readonly direct?: { readonly wallet: Address; readonly amount: bigint };
  /** Who sent the transaction, which need not be who paid. Absent of what was there before the ledger began. */
  readonly sender?: Address;
  /** Whom that transaction called. */
  readonly called?: Address;
  /** By how much the deposit rose, of one that is not `direct` and where the node still has the state of the block. */
  readonly rise?: bigint;
};

/** A customer's balance inside a paymaster contract rose; the contract's deposit tells its own story. */
export type CustomerDepositEvent = EventPosition & {
  readonly kind: 'customer-deposit';
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

/** A customer took from its balance inside a paymaster contract; the contract's deposit tells its own story. */
export type CustomerWithdrawalEvent = EventPosition & {
  readonly kind: 'customer-withdrawal';
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

/** The contract's deposit was taken from, by its owner or for a customer. */
export type WithdrawalEvent = EventPosition & {
  readonly kind: 'withdrawal';
  readonly contract: Address;
  readonly amount: bigint;
};

/** An operation that the contract paid for has landed. */
export type UserOperationLanded = EventPosition & {
  readonly kind: 'user-operation';
  readonly contract: Address;
  readonly userOperationHash: Hex;
  readonly sender: Address;
  readonly nonce: bigint;
  /** False when the call of the account reverted. */
  readonly success: boolean;
  /** What the EntryPoint took from the contract's deposit; of a relayed one its share of what the bundle's transaction cost. */
  readonly actualGasCost: bigint;
  /** It came without a paymaster: wallets of ours have paid for its bundle, or someone else, for nothing. */
  readonly relayed?: true;
  /**
   * The names under which the operation in its bundle can have been signed (`carriedNames`). Read only where no signature has
   * its hash, and absent where the bundle does not show the operation.
   */
  readonly carriedNames?: readonly Hex[];
  /** What the contract took from a customer's balance, where it keeps one for each. */
  readonly charge?: { readonly wallet: Address; readonly amount: bigint };
  /** What the user paid in a token: base units, and the place of the event that tells it. */
  readonly tokenPayment?: { readonly token: Address; readonly amount: bigint; readonly logIndex: number };
};

/** Wallets that relay have paid for what no operation of ours explains. */
type ExecutorCostEvent = EventPosition & {
  readonly kind: 'executor-cost';
  readonly contract: Address;
  readonly amount: bigint;
};

/** A confirmed event that the ledger takes in. */
export type ChainEvent =
  | DepositEvent
  | CustomerDepositEvent
  | CustomerWithdrawalEvent
  | WithdrawalEvent
  | ExecutorCostEvent
  | UserOperationLanded;
