import { z } from 'zod';
import { managementErrors } from './errors.ts';
import { exactly } from './fields/exactly.ts';
import { address, chainId, count, hex, seconds, wei } from './fields/forms.ts';
import {
  AccountStatementSchema,
  GasTankDaySchema,
  GasTankStatementSchema,
  ListGasTankDaysQuerySchema,
  ReadAccountStatementQuerySchema,
  ReadGasTankStatementQuerySchema,
} from './gas-tank-statement.ts';
import { maxStrayDeposits } from './limits.ts';
import { readOperation } from './operation.ts';
import { pageQuery } from './text-field.ts';

/** Who may send the call that fills a tank: only the funding wallet, or anyone. */
export const tankFillers = ['funding-wallet', 'anybody'] as const;

export const TankFillingSchema = z.object({
  to: address.describe(
    'The EntryPoint, the contract that fills tanks, or the paymaster contract itself if it keeps its own balances.',
  ),
  call: z.string().describe('The call in readable form.'),
  data: hex.describe('The call as call data.'),
  from: z
    .enum(tankFillers)
    .describe(
      '`funding-wallet`: the wallet must call `to` directly, in a transaction with no other deposit for the contract. ' +
        '`anybody`: any sender works.',
    ),
});

export const StrayDepositSchema = z.object({
  txHash: hex,
  amount: wei.describe('Deposited but not credited, in wei.'),
  recovery: z.string().describe('How it can be credited, or why it cannot, as text.'),
});

export const FormerTankSchema = z.object({
  fundingWallet: address,
  left: wei.describe('Neither spent nor held, in wei.'),
  held: wei.describe('Held for signatures whose operations may still land, in wei.'),
});

export const RelayTankSchema = z.object({
  executors: z.array(address).describe('A transfer from the funding wallet to one of these fills the tank.'),
  funded: wei.describe('Total paid in, in wei.'),
  settled: wei.describe('Total cost of relayed operations, in wei.'),
  held: wei.describe('Held for operations that may still land, in wei.'),
  available: wei.describe('Available for operations to relay, in wei.'),
});

export const GasTankSchema = z.object({
  chainId,
  contract: address.describe('The paymaster contract.'),
  fundingWallet: address.optional().describe('Absent until a wallet is set; until then the tank is empty.'),
  funded: wei.describe('Total paid in, in wei.'),
  settled: wei.describe('Total cost of landed operations, in wei.'),
  held: wei.describe('Held for signatures whose operations may still land, in wei.'),
  available: wei.describe('Available for new signatures, in wei.'),
  chainDeposit: wei
    .optional()
    .describe('The contract’s whole deposit at the EntryPoint, in wei. Absent while the node does not respond.'),
  daysLeft: count
    .optional()
    .describe('Days that `available` lasts at the average of the last seven days. Absent if nothing was spent.'),
  entriesSince: seconds
    .optional()
    .describe(
      'Unix seconds: entries of operations from before are archived. They are in the sums and no longer listed. Absent while none are.',
    ),
  filling: TankFillingSchema.optional().describe(
    'The call that fills the tank; its value is the deposit. Absent without a funding wallet, and while the contract accepts no new signatures.',
  ),
  strayDeposits: z
    .array(StrayDepositSchema)
    .optional()
    .describe(
      'Deposits of the funding wallet for the contract that fill no tank, largest first, ' +
        `${maxStrayDeposits} at most. Absent without any.`,
    ),
  formerTanks: z
    .array(FormerTankSchema)
    .optional()
    .describe('Tanks of earlier funding wallets. A new wallet does not take over their balance. Absent without any.'),
  relay: RelayTankSchema.optional().describe(
    'The tank that pays for relayed operations. Absent where the operator relays none of this EntryPoint.',
  ),
});
export type GasTankItem = z.infer<typeof GasTankSchema>;

export const gasTankEntryKinds = ['deposit', 'withdrawal', 'credit', 'debit', 'settle', 'release'] as const;

export const GasTankEntrySchema = z.object({
  entryId: count,
  kind: z
    .enum(gasTankEntryKinds)
    .describe(
      '`settle`: paid for an operation. `release`: no longer held, because another operation used the nonce or by the operator; it changes no balance.',
    ),
  amount: wei.describe('In wei; `kind` gives the direction.'),
  createdAt: seconds,
  reason: z
    .string()
    .optional()
    .describe(
      'For a credit or debit: the operator’s reason. For a release: that the operator released it, why, and the proof that it was safe.',
    ),
  txHash: hex
    .optional()
    .describe('For entries from the chain, and for a credit or debit that corrects a deposit that filled no tank.'),
  logIndex: count.optional(),
  reverses: count
    .optional()
    .describe('The `entryId` that this entry reverses, because its transaction is no longer on the chain.'),
});
export type GasTankEntryItem = z.infer<typeof GasTankEntrySchema>;

export const GasTankEntryPageSchema = z.object({
  entries: z.array(GasTankEntrySchema).describe('Newest first.'),
  nextCursor: z.string().optional().describe('The `cursor` of the next page. Absent on the last one.'),
});
export type GasTankEntryPage = z.infer<typeof GasTankEntryPageSchema>;

export const ListGasTankEntriesQuerySchema = exactly(pageQuery('Entries'));
export type ListGasTankEntriesQuery = z.input<typeof ListGasTankEntriesQuerySchema>;

const errors = [
  managementErrors.paymasterNotFound,
  managementErrors.chainIdNotSupported,
  managementErrors.paymasterVersionNotSupported,
];

/** The gas tank of a paymaster: deposits of its funding wallet, costs and holds. */
export const gasTankOperations = {
  /** The paymaster's gas tank. Amounts are wei as decimal text: `BigInt(tank.available)`. */
  read: readOperation('readGasTank', {
    path: '/gas-tank',
    summary: 'Read the gas tank',
    credentials: 'paymaster',
    message: 'Gas tank fetched',
    data: GasTankSchema,
    errors,
  }),
  /** A page of the gas tank's entries, newest first; `nextCursor` leads to the next one. Amounts are wei as decimal text. */
  listEntries: readOperation('listGasTankEntries', {
    path: '/gas-tank/entries',
    summary: 'List the entries of the gas tank',
    credentials: 'paymaster',
    query: ListGasTankEntriesQuerySchema,
    message: 'Gas tank entries fetched',
    data: GasTankEntryPageSchema,
    errors,
  }),
  /** The gas tank day by day, oldest first: 30 days by default, 366 at most. Amounts are wei as decimal text. */
  listDays: readOperation('listGasTankDays', {
    path: '/gas-tank/days',
    summary: 'List the gas tank day by day',
    credentials: 'paymaster',
    query: ListGasTankDaysQuerySchema,
    message: 'Gas tank days fetched',
    data: z.array(GasTankDaySchema).describe('The oldest first, none left out. Empty without a funding wallet.'),
    errors,
  }),
  /** The gas tank's statement for a month, in wei and in USD at the prices of that time, both as decimal text. */
  readStatement: readOperation('readGasTankStatement', {
    path: '/gas-tank/statement',
    summary: 'Read the gas tank’s statement for a month',
    credentials: 'paymaster',
    query: ReadGasTankStatementQuerySchema,
    message: 'Gas tank statement fetched',
    data: GasTankStatementSchema,
    errors,
  }),
  /** The statements of the account's paymasters for a month, a page at a time. Amounts are decimal text. */
  readAccountStatement: readOperation('readAccountStatement', {
    path: '/gas-tank/statements',
    summary: 'Read the statements of all paymasters for a month',
    credentials: 'account',
    query: ReadAccountStatementQuerySchema,
    message: 'Statements fetched',
    data: AccountStatementSchema,
  }),
} as const;
