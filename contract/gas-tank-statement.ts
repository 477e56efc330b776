import { z } from 'zod';
import { counted } from './counted.ts';
import { exactly } from './fields/exactly.ts';
import { withForm } from './fields/form.ts';
import { address, chainId, count, signedCount, signedWei, usdForm, wei } from './fields/forms.ts';
import { defaultUsageDays, keptUsageDays, maxStatementsAtOnce, maxUsageDays } from './limits.ts';
import { dayQuery, pageQuery } from './text-field.ts';

export const MoneySumSchema = z.object({
  wei: signedWei.describe('In wei. Negative if reorgs reversed more than was added.'),
  usd: withForm(z.string().regex(/^-?\d+\.\d{2,6}$/), { ...usdForm, scalar: 'signedAmount' }).describe(
    'Value in USD, each entry at the price when it was recorded. Entries counted by ' + '`unpriced` are left out.',
  ),
  unpriced: signedCount.describe('Entries recorded without a known price.'),
});
export type MoneySumItem = z.infer<typeof MoneySumSchema>;

export const SpentElsewhereSchema = z.object({ wei: signedWei, operations: signedCount });

/** Who paid the chain from a tank: the paymaster contract's deposit, or the executors of the relay. */
export const tankPayers = ['CONTRACT', 'RELAY'] as const;

export const TankStatementSchema = z.object({
  payer: z
    .enum(tankPayers)
    .describe('`CONTRACT`: the tank at the paymaster contract. `RELAY`: the tank for relayed operations.'),
  fundingWallet: address.describe('Wallet the tank belongs to.'),
  opening: signedWei.describe('Balance at the beginning of the month, in wei.'),
  deposited: MoneySumSchema.describe('Deposited on chain.'),
  withdrawn: MoneySumSchema.describe('Withdrawn on chain.'),
  credited: MoneySumSchema.describe('Added by the operator. Has no price.'),
  debited: MoneySumSchema.describe('Taken by the operator. Has no price.'),
  spent: MoneySumSchema.describe('Cost of landed operations for the tank, premium included.'),
  premium: MoneySumSchema.describe('The part of `spent` that the contract charged on top of the EntryPoint’s charge.'),
  usersPaid: MoneySumSchema.describe('The part of `spent` that users paid for in tokens; the rest was sponsored.'),
  closing: signedWei.describe(
    'Balance at the end of the month, or now, in wei: opening + deposited - withdrawn + credited - debited - spent.',
  ),
  operations: signedCount.describe('Operations that landed.'),
  atBlock: count.describe(
    'The last block whose events are in the ledger of the contract, or of the relay. 0 before the first one.',
  ),
  elsewhere: SpentElsewhereSchema.describe(
    'The part of `spent` and `operations` without a signature of this paymaster: operations of other paymasters with ' +
      'the same funding wallet and contract, and operations without a known signature.',
  ),
});
export type TankStatementItem = z.infer<typeof TankStatementSchema>;

export const VendorSumSchema = z.object({
  operations: signedCount.describe('Operations it answered. Whether they landed is not known.'),
  worstCaseUsd: withForm(z.string().regex(/^\d+\.\d{2,6}$/), usdForm).describe(
    'What they can have cost at most, in USD.',
  ),
});

export const GasTankStatementSchema = z.object({
  month: z.string().describe('UTC, `YYYY-MM`.'),
  chainId,
  contract: address.describe('The paymaster contract.'),
  tanks: z
    .array(TankStatementSchema)
    .describe(
      'The current tank first, then those of earlier funding wallets, then likewise those of the relay. Empty without a funding wallet.',
    ),
  vendor: VendorSumSchema.optional().describe(
    'What the paymaster of the operator’s vendor sponsored while the tank, the signer or the contract was out. No tank paid for it.',
  ),
});
export type GasTankStatementItem = z.infer<typeof GasTankStatementSchema>;

/** One paymaster's part of the statement of its account. */
export const PaymasterStatementSchema = GasTankStatementSchema.omit({ month: true }).extend({
  paymasterId: z.string(),
});
export type PaymasterStatementItem = z.infer<typeof PaymasterStatementSchema>;

export const AccountStatementSchema = z.object({
  month: z.string().describe('UTC, `YYYY-MM`.'),
  statements: z
    .array(PaymasterStatementSchema)
    .describe(
      `In the order the paymasters were created, ${maxStatementsAtOnce} at most. Without paymasters whose chain or ` +
        'contract is no longer configured.',
    ),
  nextCursor: z.string().optional().describe('The `cursor` of the next page. Absent on the last one.'),
});
export type AccountStatementItem = z.infer<typeof AccountStatementSchema>;

const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'month must be a month like 2026-01' })
  .optional()
  .describe('UTC month, `YYYY-MM`; the current one by default.');

export const ReadGasTankStatementQuerySchema = exactly({ month });

export const ReadAccountStatementQuerySchema = exactly({ month, cursor: pageQuery('Statements').cursor });

export const GasTankDaySchema = z.object({
  day: z
    .string()
    .describe(
      `UTC, \`YYYY-MM-DD\`. What landed in a month that ended ${counted(keptUsageDays, 'day')} ago or earlier is counted on its first day.`,
    ),
  balance: signedWei.describe('Balance at the end of the day, or now, including holds, in wei.'),
  spent: wei.describe('Cost of landed operations, in wei.'),
});
export type GasTankDayItem = z.infer<typeof GasTankDaySchema>;

export const ListGasTankDaysQuerySchema = exactly({
  from: dayQuery('from').describe(
    `First UTC day, \`YYYY-MM-DD\`; ${defaultUsageDays} days in all by default, ${maxUsageDays} at most.`,
  ),
  until: dayQuery('until').describe('Last UTC day; today by default.'),
});
export type ListGasTankDaysQuery = z.infer<typeof ListGasTankDaysQuerySchema>;
