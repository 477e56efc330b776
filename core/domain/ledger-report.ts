import * as api from '@tollfree/contract/gas-tank-statement';
import { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
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
  seconds,
  signedAmount,
  text,
} from '../base/message-schema.ts';
import { StrayDepositSchema } from './gas-tank.ts';

/**
 * The sum of one kind of movement, in wei; negative if more was rolled back than posted. `usdMicros`: millionths of a USD,
 * each entry at the price known when it was posted; `unpriced` entries had no price and are excluded.
 */
const MoneySumSchema = message('MoneySum', fieldsOfApi(api.MoneySumSchema));
export type MoneySum = z.output<typeof MoneySumSchema>;

/** Spending that no signature of the paymaster explains. */
const SpentElsewhereSchema = message('SpentElsewhere', fieldsOfApi(api.SpentElsewhereSchema));

/**
 * One tank in a month, by the booking time of its entries: `opening + deposited - withdrawn + credited - debited - spent =
 * closing`. Holds are not included, since they move nothing.
 */
const TankStatementSchema = message(
  'TankStatement',
  fieldsOfApi(api.TankStatementSchema, {
    deposited: MoneySumSchema,
    withdrawn: MoneySumSchema,
    credited: MoneySumSchema,
    debited: MoneySumSchema,
    spent: MoneySumSchema,
    premium: MoneySumSchema,
    usersPaid: MoneySumSchema,
    elsewhere: SpentElsewhereSchema,
  }),
);
export type TankStatement = z.output<typeof TankStatementSchema>;

/** Operations that another paymaster sponsored, and their maximum cost in millionths of a USD: its bill is lower. */
const VendorSumSchema = message('VendorSum', fieldsOfApi(api.VendorSumSchema));
export type VendorSum = z.output<typeof VendorSumSchema>;

/** A paymaster's statement for a UTC month (`YYYY-MM`): its current tank, then those of earlier funding wallets. */
export const GasTankStatementSchema = message(
  'GasTankStatement',
  fieldsOfApi(api.GasTankStatementSchema, { tanks: TankStatementSchema, vendor: VendorSumSchema }),
);
export type GasTankStatement = z.output<typeof GasTankStatementSchema>;

/** One paymaster's part of the statement of its account. */
const PaymasterStatementSchema = message(
  'PaymasterStatement',
  fieldsOfApi(api.PaymasterStatementSchema, { tanks: TankStatementSchema, vendor: VendorSumSchema }),
);
export type PaymasterStatement = z.output<typeof PaymasterStatementSchema>;

/** The statements of an account's paymasters for a UTC month; `nextCursor` is absent on the last page. */
export const AccountStatementSchema = message(
  'AccountStatement',
  fieldsOfApi(api.AccountStatementSchema, { statements: PaymasterStatementSchema }),
);

/** A tank on a UTC day (`YYYY-MM-DD`), in wei: its balance at the end, including holds, and what it spent. */
export const GasTankDaySchema = message('GasTankDay', fieldsOfApi(api.GasTankDaySchema));
export type GasTankDay = z.output<typeof GasTankDaySchema>;

/** What is held in a gas tank for signatures of one operation, which may still land. */
export const OpenHoldSchema = message('OpenHold', {
  holdId: count,
  chainId,
  /** The paymaster contract. */
  contract: address,
  /** The funding wallet of the gas tank. */
  wallet: address,
  /** The paymaster that it was signed for. */
  paymasterId: text,
  sender: address,
  /** Nonce of the operation, including its key. */
  nonce: amount,
  /** Wei. */
  amount,
  createdAt: seconds,
  /** Expiry of the last signature, by chain time in Unix seconds; absent if they never expire. */
  validUntil: seconds.exactOptional(),
});
export type OpenHold = z.output<typeof OpenHoldSchema>;

/** A hold released by the operator, and the proof that nothing could land under it any more, in words. */
export const ReleasedHoldSchema = message('ReleasedHold', {
  ...fieldsOf(OpenHoldSchema, 'holdId', 'sender', 'nonce', 'amount'),
  /** The proof that nothing could land under it any more, in words. */
  ground: text,
});
export type ReleasedHold = z.output<typeof ReleasedHoldSchema>;

/** `unreachable`: the chain could not be read, so there is nothing to compare the ledger with. */
const ledgerReportStates = ['compared', 'unreachable'] as const;

/**
 * A tank that no paymaster pays from: its wallet does not, or no longer, fund one that uses the contract. Wei that are
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
 * One paymaster contract's ledger compared with the chain, at one block. All amounts in wei. The ledger agrees when `state`
 * is `compared`, `difference` is 0 and `faults` is empty; the rest names where money went that belongs to no gas tank.
 */
export const LedgerReportSchema = message('LedgerReport', {
  /** `compared` or `unreachable`: the chain could not be read. */
  state: z.enum(ledgerReportStates),
  chainId,
  contract: address,
  /** The EntryPoint that holds its deposit. */
  entryPoint: address,
  /** The last block in the ledger. 0 before the first one. */
  atBlock: blockNumber,
  /** The contract's deposit at the EntryPoint. Wei. Absent when unreachable. */
  chainDeposit: amount.exactOptional(),
  /** What the entries up to the block come to. */
  bookDeposit: signedAmount,
  /** `chain_deposit` less `book_deposit`. Wei, may be negative. Absent when unreachable. */
  difference: signedAmount.exactOptional(),
  /** Deposits that belong to no tank and that no operator credit covers. Wei. */
  unattributedDeposits: amount,
  /** The transactions of these deposits, largest first; at most `maxStrayDeposits`. */
  strayDeposits: listOf(StrayDepositSchema),
  /** How many such transactions there are. */
  strayDepositCount: count,
  /** Tanks with a remainder that no paymaster pays from; at most `maxIdleTanks`, those with the most. */
  idleTanks: listOf(IdleTankSchema),
  /** How many such tanks there are. */
  idleTankCount: count,
  /**
   * Deposits of the operator, which are in no tank: by hot wallets (`hotWallet`), and what operations that are not relayed paid
   * executors beyond the cost of their bundles. Wei. Absent from a core without them.
   */
  hotWalletDeposits: amount.exactOptional(),
  /** Withdrawn from the deposit, by the contract's owner or for its customers. Wei. */
  withdrawals: amount,
  /** Costs of operations that no tank paid for. Wei. */
  unexplainedCosts: amount,
  /** Deposited in the contract's tanks less withdrawals. Wei, may be negative. */
  funded: signedAmount,
  /** Paid by them. Wei. */
  settled: amount,
  /** Held in them. Wei. */
  held: amount,
  /** Held although the customers have already withdrawn it from the contract. */
  shortfall: amount,
  /**
   * What the tanks paid for operations above their cost at the EntryPoint: income of the contract's owner from markup and
   * overhead, negative with a discount. 0 except for contracts with customer balances.
   */
  margin: signedAmount,
  /**
   * Sum of the contract's own balances for the tanks' wallets; only for contracts that keep them, and absent when
   * unreachable.
   */
  customerBalances: amount.exactOptional(),
  /** When the oldest of the added rows was read, in Unix seconds. */
  rowsReadAt: count,
  /** Violated rules of the ledger, in words. */
  faults: listOf(text),
});
export type LedgerReport = z.output<typeof LedgerReportSchema>;

/**
 * The stored sums of one paymaster contract compared with the chain, at one block. The fields are those of `LedgerReport`.
 */
export const LedgerStateSchema = message('LedgerState', {
  ...fieldsOf(LedgerReportSchema, 'state', 'chainId', 'contract', 'entryPoint', 'atBlock'),
  ...fieldsOf(LedgerReportSchema, 'chainDeposit', 'bookDeposit', 'difference', 'held'),
});
export type LedgerState = z.output<typeof LedgerStateSchema>;

/** How far the ledger of a contract was rolled back. */
export const LedgerReversalSchema = message('LedgerReversal', {
  contract: address,
  /** The last block that was in the ledger. */
  fromBlock: blockNumber,
  /** The first block to read again. */
  nextBlock: blockNumber,
  /** Entries of the journal that were reversed. */
  entries: count,
});
export type LedgerReversal = z.output<typeof LedgerReversalSchema>;

/** The result of a step, and the rows of the next one. */
export const ArchiveStepSchema = message('ArchiveStep', {
  /** How many of the rows stored by the caller were deleted; those of an earlier, repeated step are already deleted. */
  deleted: count,
  /** The next rows to store: JSON, one per line. */
  rows: text,
  /** Start of the next step. */
  after: text,
  /** Whether these rows are the last. */
  isLast: flag,
});
export type ArchiveStep = z.output<typeof ArchiveStepSchema>;
