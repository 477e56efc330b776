import { z } from 'zod';
import { defaultUsageDays, maxUsageDays } from '../limits.ts';
import { dayQuery } from '../text-field.ts';

const wei = z.string().regex(/^(0|[1-9]\d*)$/);
const signedWei = z.string().regex(/^(0|-?[1-9]\d*)$/);

const MoneySumSchema = z.object({
  wei: signedWei.describe('In wei. Below 0 where more was taken back, since it left the chain, than booked.'),
  usd: z
    .string()
    .regex(/^-?\d+\.\d{2,6}$/)
    .describe(
      'What it was worth in USD, each entry at the price of the coin that was known when it was booked. Those that ' +
        '`unpriced` counts are left out.',
    ),
  unpriced: z.int().describe('Entries that were booked when no price was known, and all from before prices were kept.'),
});
export type MoneySumItem = z.infer<typeof MoneySumSchema>;

const TankStatementSchema = z.object({
  fundingWallet: z.string().describe('Whose tank it is.'),
  opening: signedWei.describe('What had been paid in and was not spent when the month began, in wei.'),
  deposited: MoneySumSchema.describe('Paid in on the chain.'),
  withdrawn: MoneySumSchema.describe('Taken out on the chain.'),
  credited: MoneySumSchema.describe('Added by the operator. It has no price.'),
  debited: MoneySumSchema.describe('Taken by the operator. It has no price.'),
  spent: MoneySumSchema.describe('What operations that landed have cost the tank, premium included.'),
  premium: MoneySumSchema.describe(
    'The part of `spent` that the contract took on top of what the EntryPoint took from it.',
  ),
  usersPaid: signedWei.describe(
    'The part of `spent` that users paid for in tokens, in wei; the rest was sponsored. Operations that an earlier version booked are not in it.',
  ),
  closing: signedWei.describe(
    'What was left when the month ended, or is left now, in wei: opening + deposited - withdrawn + credited - debited - spent.',
  ),
  operations: z.int().describe('Operations that landed.'),
  elsewhere: z
    .object({ wei: signedWei, operations: z.int() })
    .describe(
      'The part of `spent` and `operations` that no signature of this paymaster explains: those of other paymasters with ' +
        'the same funding wallet and contract, and what landed without a signature that is known.',
    ),
});
export type TankStatementItem = z.infer<typeof TankStatementSchema>;

export const GasTankStatementSchema = z.object({
  month: z.string().describe('UTC, `YYYY-MM`.'),
  chainId: z.int(),
  contract: z.string().describe('The paymaster contract.'),
  tanks: z
    .array(TankStatementSchema)
    .describe('The present tank first, then those of earlier funding wallets. Empty without a funding wallet.'),
});
export type GasTankStatementItem = z.infer<typeof GasTankStatementSchema>;

export const ReadGasTankStatementQuerySchema = z.object({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'month must be a month like 2026-01' })
    .optional()
    .describe('UTC month, `YYYY-MM`; the present one by default.'),
});

export const GasTankDaySchema = z.object({
  day: z.string().describe('UTC, `YYYY-MM-DD`.'),
  balance: signedWei.describe('What was in the tank when the day ended, or is now, held or not, in wei.'),
  spent: wei.describe('What operations that landed have cost, in wei.'),
});
export type GasTankDayItem = z.infer<typeof GasTankDaySchema>;

export const ListGasTankDaysQuerySchema = z.object({
  from: dayQuery('from').describe(
    `First UTC day, \`YYYY-MM-DD\`; ${defaultUsageDays} days in all by default, ${maxUsageDays} at most.`,
  ),
  until: dayQuery('until').describe('Last UTC day; today by default.'),
});
export type ListGasTankDaysQuery = z.infer<typeof ListGasTankDaysQuerySchema>;
