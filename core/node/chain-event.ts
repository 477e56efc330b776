import { type Address, type Hex, parseAbi } from 'viem';

/** Events of the EntryPoint that move a paymaster's deposit; the same in every version (`IEntryPoint`, `IStakeManager`). */
export const [userOperationEvent, depositedEvent, withdrawnEvent] = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'event Deposited(address indexed account, uint256 totalDeposit)',
  'event Withdrawn(address indexed account, address withdrawAddress, uint256 amount)',
]);

export const depositAbi = parseAbi(['function balanceOf(address account) view returns (uint256)']);

/** The position of an event on chain: its identity in the ledger. */
export type EventPosition = { readonly blockNumber: bigint; readonly txHash: Hex; readonly logIndex: number };

/** The paymaster contract's deposit rose. Amounts in wei. */
export type DepositEvent = EventPosition & {
  readonly kind: 'deposit';
  readonly contract: Address;
  /** The contract's total deposit after the event. */
  readonly totalDeposit: bigint;
  /**
   * The tank and the amount, if known: an account sent the value directly to the EntryPoint or the paymaster, or the tank
   * funder reported it.
   */
  readonly direct?: { readonly wallet: Address; readonly amount: bigint };
  /** The sender of the transaction, who need not be the payer. Absent for events before the ledger began. */
  readonly sender?: Address;
  /** The address that the transaction called. */
  readonly called?: Address;
  /** By how much the deposit rose, if it is not `direct` and the node still has the state of the block. */
  readonly rise?: bigint;
};

/** A customer's balance inside a paymaster contract rose. The contract's deposit has events of its own. */
export type CustomerDepositEvent = EventPosition & {
  readonly kind: 'customer-deposit';
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

/** A customer withdrew from its balance inside a paymaster contract. The contract's deposit has events of its own. */
export type CustomerWithdrawalEvent = EventPosition & {
  readonly kind: 'customer-withdrawal';
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

/** A withdrawal from the contract's deposit, by its owner or for a customer. */
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
  /**
   * What the EntryPoint took from the contract's deposit; for a relayed operation its share of the cost of the bundle's
   * transaction.
   */
  readonly actualGasCost: bigint;
  /** It had no paymaster: either our wallets paid for its bundle, or someone else did, and it cost us nothing. */
  readonly relayed?: true;
  /**
   * The names under which the operation in its bundle may have been signed or relayed (`contentIds`). Read only if no
   * hold has its hash. Absent if the bundle does not contain the operation in readable form.
   */
  readonly contentIds?: readonly Hex[];
  /** The contract's charge to a customer's balance, for contracts that keep one per customer. */
  readonly charge?: { readonly wallet: Address; readonly amount: bigint };
  /** The user's token payment: base units, and the position of its event. */
  readonly tokenPayment?: { readonly token: Address; readonly amount: bigint; readonly logIndex: number };
};

/** Relay wallets paid for something that none of our operations explains. */
type ExecutorCostEvent = EventPosition & {
  readonly kind: 'executor-cost';
  readonly contract: Address;
  readonly amount: bigint;
};

/** A confirmed event that the ledger processes. */
export type ChainEvent =
  | DepositEvent
  | CustomerDepositEvent
  | CustomerWithdrawalEvent
  | WithdrawalEvent
  | ExecutorCostEvent
  | UserOperationLanded;
