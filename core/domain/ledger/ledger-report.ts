import type { Address } from 'viem';
import type { StrayDeposit } from '../gas-tank.ts';

/** `unreachable`: the chain could not be read, so there is nothing to compare the ledger with. */
export const ledgerReportStates = ['compared', 'unreachable'] as const;
export type LedgerReportState = (typeof ledgerReportStates)[number];

/**
 * A tank that no paymaster pays from: its wallet funds none that uses the contract, or none any longer. Wei that are
 * neither spent nor held.
 */
export type IdleTank = { readonly wallet: Address; readonly left: bigint };

/**
 * One paymaster contract's ledger next to the chain, at one block. All amounts in wei. The ledger agrees when `state` is
 * `compared`, `difference` is 0 and `faults` is empty; the rest names where money went that no gas tank stands for.
 */
export type LedgerReport = {
  readonly state: LedgerReportState;
  readonly chainId: number;
  readonly contract: Address;
  readonly entryPoint: Address;
  /** The last block that the ledger has; 0 before the first one. */
  readonly atBlock: bigint;
  /** `EntryPoint.balanceOf(contract)` at the block; absent when unreachable. */
  readonly chainDeposit?: bigint;
  /** Sum of the contract's movements up to the block. */
  readonly bookDeposit: bigint;
  /** `chainDeposit - bookDeposit`; absent when unreachable. */
  readonly difference?: bigint;
  /** Deposits that belong to no tank and that no credit of the operator stands for. */
  readonly unattributedDeposits: bigint;
  /** The transactions that they came with, largest first; of more than `maxStrayDeposits` the largest. */
  readonly strayDeposits: readonly StrayDeposit[];
  /** All of those transactions. */
  readonly strayDepositCount: number;
  /** Tanks with wei in them that no paymaster pays from; of more than `maxIdleTanks` those with the most. */
  readonly idleTanks: readonly IdleTank[];
  /** All of those tanks. */
  readonly idleTankCount: number;
  /** Deposits of the operator's hot wallets (`treasury`), which are in no tank; absent from an earlier version. */
  readonly treasuryDeposits?: bigint;
  /** Taken out of the deposit, by the contract's owner or for its customers. */
  readonly withdrawals: bigint;
  /** Costs of operations that no tank paid for. */
  readonly unexplainedCosts: bigint;
  /** Sums over the contract's tanks. */
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  /** Held although the customers have taken it out of the contract already. */
  readonly shortfall: bigint;
  /**
   * What the tanks paid for operations above what those cost at the EntryPoint: income of the contract's owner from markup
   * and overhead, below 0 with a discount. 0 except for contracts that keep a balance for each customer.
   */
  readonly margin: bigint;
  /** Sum of what the contract itself keeps for the tanks' wallets; only of contracts that do, and not when unreachable. */
  readonly customerBalances?: bigint;
  /** When the oldest of the rows was read that were added up, in Unix seconds. */
  readonly rowsReadAt: number;
  /** Rules of the ledger that do not hold, in words. */
  readonly faults: readonly string[];
};

/** The kept sums of one paymaster contract next to the chain, at one block. */
export type LedgerStanding = Pick<
  LedgerReport,
  'state' | 'chainId' | 'contract' | 'entryPoint' | 'atBlock' | 'chainDeposit' | 'bookDeposit' | 'difference' | 'held'
>;
