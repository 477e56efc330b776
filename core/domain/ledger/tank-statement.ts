import type { z } from 'zod';
import {
  address,
  amount,
  chainId,
  listOf,
  message,
  signedAmount,
  signedCount,
  text,
} from '../../base/message-schema.ts';

/**
 * What went in or out under one head, in wei; below 0 where more was rolled back than booked. `usdMicros`: millionths
 * of a USD, each entry at the price that was known when it was booked; `unpriced` entries had none and are left out of
 * it.
 */
const MoneySumSchema = message('MoneySum', {
  /** Wei. */
  wei: signedAmount,
  /** What it was worth when it was booked, entries of no known price left out. Millionths of a USD. */
  usdMicros: signedAmount,
  unpriced: signedCount,
});
export type MoneySum = z.output<typeof MoneySumSchema>;

/** What no signature of the paymaster explains. */
const SpentElsewhereSchema = message('SpentElsewhere', {
  /** Wei. */
  wei: signedAmount,
  operations: signedCount,
});

/**
 * What became of one tank in a month, by the time at which its entries were booked: `opening + deposited - withdrawn +
 * credited - debited - spent = closing`. Holds are no part of it: they move nothing.
 */
const TankStatementSchema = message('TankStatement', {
  fundingWallet: address,
  /** What had been paid in and was not spent when the month began. Wei. */
  opening: signedAmount,
  /** The same when it ended, or now. Wei. */
  closing: signedAmount,
  deposited: MoneySumSchema,
  withdrawn: MoneySumSchema,
  /** By the operator. */
  credited: MoneySumSchema,
  debited: MoneySumSchema,
  /** What operations that landed have cost the tank. */
  spent: MoneySumSchema,
  /** The part of `spent` that the contract took on top of what the EntryPoint took from it. */
  premium: MoneySumSchema,
  /** The part of `spent` that users paid for in tokens, in wei; the rest was sponsored. */
  usersPaid: signedAmount,
  /** Operations that landed. */
  operations: signedCount,
  /** The part of `spent`, in wei, and of `operations` that the paymaster's own signatures do not explain. */
  elsewhere: SpentElsewhereSchema,
});
export type TankStatement = z.output<typeof TankStatementSchema>;

/**
 * Operations that another paymaster sponsored, and what they could cost at worst, in millionths of a USD: its bill is
 * lower.
 */
const UpstreamSumSchema = message('UpstreamSum', {
  operations: signedCount,
  /** What they can have cost at most. Millionths of a USD. */
  worstCaseUsdMicros: amount,
});
export type UpstreamSum = z.output<typeof UpstreamSumSchema>;

/** A paymaster's statement of a UTC month (`YYYY-MM`): that of its tank, then those of earlier funding wallets. */
export const GasTankStatementSchema = message('GasTankStatement', {
  /** UTC, `YYYY-MM`. */
  month: text,
  chainId,
  contract: address,
  /** The present tank first, then those of earlier funding wallets. Empty without a funding wallet. */
  tanks: listOf(TankStatementSchema),
  /** What another paymaster sponsored meanwhile; absent for nothing. No tank paid for it. */
  upstream: UpstreamSumSchema.exactOptional(),
});
export type GasTankStatement = z.output<typeof GasTankStatementSchema>;

/** A tank on a UTC day (`YYYY-MM-DD`), in wei: what was in it at the end, held or not, and what was spent of it. */
export const GasTankDaySchema = message('GasTankDay', {
  /** UTC, `YYYY-MM-DD`. */
  day: text,
  /** What was in it at the end, held or not. Wei. */
  balance: signedAmount,
  /** What was spent of it. Wei. */
  spent: amount,
});
export type GasTankDay = z.output<typeof GasTankDaySchema>;
