import type { Address } from 'viem';

/** A paymaster's gas tank: what its funding wallet has put on chain for its contract. Amounts in wei. */
export type GasTank = {
  readonly chainId: number;
  readonly contract: Address;
  /** Absent while the paymaster has no funding wallet; the tank is empty then. */
  readonly fundingWallet?: Address;
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  /** What can still be signed for: the smaller of the tank's rest and the contract's deposit less all holds on it. */
  readonly available: bigint;
  /** The contract's deposit at the EntryPoint as last seen; absent while the node does not answer. */
  readonly chainDeposit?: bigint;
  /** Whole days the available wei last at the average of the last seven days; absent when nothing was spent. */
  readonly daysLeft?: number;
};

/** One entry of a tank, in the order they were made. `amount` in wei, `createdAt` in Unix seconds. */
export type GasTankEntry = {
  readonly entryId: number;
  readonly kind: 'deposit' | 'credit' | 'debit' | 'hold' | 'release' | 'settle';
  readonly amount: bigint;
  readonly createdAt: number;
  readonly reason?: string;
  readonly txHash?: `0x${string}`;
  readonly logIndex?: number;
};
