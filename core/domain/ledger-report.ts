import type { Address } from 'viem';

/**
 * One paymaster contract's books beside the chain, at one block. All amounts in wei. The books agree when `difference`
 * is 0 and `faults` is empty; the rest names where money went that no gas tank stands for.
 */
export type LedgerReport = {
  readonly chainId: number;
  readonly contract: Address;
  readonly entryPoint: Address;
  readonly atBlock: bigint;
  /** `EntryPoint.balanceOf(contract)` at the block. */
  readonly chainDeposit: bigint;
  /** Sum of the contract's movements up to the block. */
  readonly bookDeposit: bigint;
  /** `chainDeposit - bookDeposit`. */
  readonly difference: bigint;
  /** Deposits that belong to no tank. */
  readonly unattributedDeposits: bigint;
  /** Taken out by the contract's owner. */
  readonly withdrawals: bigint;
  /** Costs of operations that no hold explains. */
  readonly unexplainedCosts: bigint;
  /** Sums over the contract's tanks. */
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  /** Rules of the books that do not hold, in words. */
  readonly faults: readonly string[];
};
