import type { Address, Hex } from 'viem';

/** A user operation on its way to the chain. Amounts in wei. */
export type SimulatedOperation = {
  readonly do: 'operation';
  readonly contract: Address;
  readonly hash: Hex;
  readonly sender: Address;
  readonly nonce: bigint;
  /** What the EntryPoint takes before it runs, and needs in the contract's deposit. */
  readonly prefund: bigint;
  /** As it lands, if it is priced: all of the prefund while it waits. */
  readonly cost: bigint;
  /** How its block makes its cost; absent when that is what it is. */
  readonly pricing?: {
    readonly gasUsed: bigint;
    readonly maxFeePerGas: bigint;
    readonly maxPriorityFeePerGas: bigint;
    /** The bundler takes it also where it gets less than it pays. */
    readonly atLoss: boolean;
    /** What a contract with balances charges next to the cost, at most, in wei. */
    readonly margin: bigint;
  };
  readonly success: boolean;
  /** Unix seconds; a block after it does not take the operation. */
  readonly validUntil: number;
  /** Of contracts with balances: whom they charge, and how much. */
  readonly charge?: { readonly wallet: Address; readonly amount: bigint };
  /** Of contracts that take tokens: which, the zero address for none, and how many base units. */
  readonly tokens?: { readonly token: Address; readonly amount: bigint };
};

/** One thing that a transaction does. */
export type SimulatedAction =
  | { readonly do: 'deposit'; readonly contract: Address; readonly amount: bigint }
  | { readonly do: 'withdrawal'; readonly contract: Address; readonly amount: bigint }
  | {
      readonly do: 'customer-deposit' | 'customer-withdrawal';
      readonly contract: Address;
      readonly wallet: Address;
      readonly amount: bigint;
    }
  | SimulatedOperation;

export type SimulatedTransaction = {
  readonly hash: Hex;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  /** The EntryPoint it is about. */
  readonly entryPoint: Address;
  readonly actions: readonly SimulatedAction[];
  /** It is one account's own deposit, made straight. */
  readonly direct: boolean;
};

/** What a transaction did, with its place in its block. */
export type SimulatedEffect = {
  readonly logIndex: number;
  readonly transaction: SimulatedTransaction;
  readonly action: SimulatedAction;
  /** Of a deposit: the contract's whole deposit as the EntryPoint tells it at that moment. */
  readonly totalDeposit: bigint;
};

/** What the chain keeps, in wei: deposits by contract, customers' balances by tank. */
export type ChainFundsState = { readonly deposits: Map<Address, bigint>; readonly balances: Map<string, bigint> };
