import { z } from 'zod';
import {
  address,
  amount,
  blockNumber,
  chainId,
  count,
  fieldsOf,
  flag,
  listOf,
  message,
  signedAmount,
  text,
} from '../../base/message-schema.ts';
import { StrayDepositSchema } from '../gas-tank.ts';

/** `unreachable`: the chain could not be read, so there is nothing to compare the ledger with. */
const ledgerReportStates = ['compared', 'unreachable'] as const;

/**
 * A tank that no paymaster pays from: its wallet funds none that uses the contract, or none any longer. Wei that are
 * neither spent nor held.
 */
const IdleTankSchema = message('IdleTank', {
  /** Its wallet, which is no paymaster's funding wallet. */
  wallet: address,
  /** Neither spent nor held. Wei. */
  left: amount,
});
export type IdleTank = z.output<typeof IdleTankSchema>;

/**
 * One paymaster contract's ledger next to the chain, at one block. All amounts in wei. The ledger agrees when `state`
 * is `compared`, `difference` is 0 and `faults` is empty; the rest names where money went that no gas tank stands for.
 */
export const LedgerReportSchema = message('LedgerReport', {
  /** `compared` or `unreachable`: the chain could not be read. */
  state: z.enum(ledgerReportStates),
  chainId,
  contract: address,
  /** The EntryPoint it has its deposit at. */
  entryPoint: address,
  /** The last block that the ledger has. 0 before the first one. */
  atBlock: blockNumber,
  /** The contract's deposit at the EntryPoint. Wei. Absent when unreachable. */
  chainDeposit: amount.exactOptional(),
  /** Sum of the contract's movements up to the block. */
  bookDeposit: signedAmount,
  /** `chain_deposit` less `book_deposit`. Wei, may be negative. Absent when unreachable. */
  difference: signedAmount.exactOptional(),
  /** Deposits that belong to no tank and that no credit of the operator stands for. Wei. */
  unattributedDeposits: amount,
  /** The transactions that they came with, largest first; of more than `maxStrayDeposits` the largest. */
  strayDeposits: listOf(StrayDepositSchema),
  /** How many such transactions there are. */
  strayDepositCount: count,
  /** Tanks with wei in them that no paymaster pays from; of more than `maxIdleTanks` those with the most. */
  idleTanks: listOf(IdleTankSchema),
  /** How many such tanks there are. */
  idleTankCount: count,
  /**
   * Deposits of the operator's hot wallets (`treasury`), which are in no tank. Wei. Absent from a core that knows none.
   */
  treasuryDeposits: amount.exactOptional(),
  /** Taken out of the deposit, by the contract's owner or for its customers. Wei. */
  withdrawals: amount,
  /** Costs of operations that no tank paid for. Wei. */
  unexplainedCosts: amount,
  /** Put into the contract's tanks less what was taken out. Wei, may be negative. */
  funded: signedAmount,
  /** Paid by them. Wei. */
  settled: amount,
  /** Set aside in them. Wei. */
  held: amount,
  /** Held although the customers have taken it out of the contract already. */
  shortfall: amount,
  /**
   * What the tanks paid for operations above what those cost at the EntryPoint: income of the contract's owner from
   * markup and overhead, below 0 with a discount. 0 except for contracts that keep a balance for each customer.
   */
  margin: signedAmount,
  /**
   * Sum of what the contract itself keeps for the tanks' wallets; only of contracts that do, and not when unreachable.
   */
  customerBalances: amount.exactOptional(),
  /** When the oldest of the rows was read that were added up, in Unix seconds. */
  rowsReadAt: count,
  /** Rules of the ledger that do not hold, in words. */
  faults: listOf(text),
});
export type LedgerReport = z.output<typeof LedgerReportSchema>;

/**
 * The stored sums of one paymaster contract compared with the chain, at one block. The fields are those of
 * `LedgerReport`.
 */
export const LedgerStandingSchema = message('LedgerStanding', {
  ...fieldsOf(LedgerReportSchema, 'state', 'chainId', 'contract', 'entryPoint', 'atBlock'),
  ...fieldsOf(LedgerReportSchema, 'chainDeposit', 'bookDeposit', 'difference', 'held'),
});
export type LedgerStanding = z.output<typeof LedgerStandingSchema>;

/** How far the ledger of a contract was rolled back. */
export const LedgerRewindSchema = message('LedgerRewind', {
  contract: address,
  /** The last block that was in the ledger. */
  fromBlock: blockNumber,
  /** The first block that is read again. */
  nextBlock: blockNumber,
  /** Changes of the contract's deposit that were rolled back. */
  movements: count,
});
export type LedgerRewind = z.output<typeof LedgerRewindSchema>;

/** What a step did, and the rows of the next one. */
export const ArchiveStepSchema = message('ArchiveStep', {
  /**
   * How many of the rows that the caller has stored were deleted; those of an earlier step that is repeated are gone
   * already.
   */
  deleted: count,
  /** The next rows, to be stored: JSON, one a line. */
  rows: text,
  /** Where the step after this one begins. */
  after: text,
  /** Whether nothing comes after these rows. */
  isLast: flag,
});
export type ArchiveStep = z.output<typeof ArchiveStepSchema>;
