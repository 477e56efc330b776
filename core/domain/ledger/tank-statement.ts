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
 * The sum of one kind of movement, in wei; negative if more was rolled back than booked. `usdMicros`: millionths of a USD,
 * each entry at the price known when it was booked; `unpriced` entries had no price and are excluded.
 */
const MoneySumSchema = message('MoneySum', {
  /** Wei. */
  wei: signedAmount,
  /** Worth at the time of booking, excluding entries without a known price. Millionths of a USD. */
  usdMicros: signedAmount,
  unpriced: signedCount,
});
export type MoneySum = z.output<typeof MoneySumSchema>;

/** Spending that no signature of the paymaster explains. */
const SpentElsewhereSchema = message('SpentElsewhere', {
  /** Wei. */
  wei: signedAmount,
  operations: signedCount,
});

/**
 * One tank in a month, by the booking time of its entries: `opening + deposited - withdrawn + credited - debited - spent =
 * closing`. Holds are not included, since they move nothing.
 */
const TankStatementSchema = message('TankStatement', {
  fundingWallet: address,
  /** Deposited and not spent at the start of the month. Wei. */
  opening: signedAmount,
  /** The same at its end, or now. Wei. */
  closing: signedAmount,
  deposited: MoneySumSchema,
  withdrawn: MoneySumSchema,
  /** By the operator. */
  credited: MoneySumSchema,
  debited: MoneySumSchema,
  /** What landed operations cost the tank. */
  spent: MoneySumSchema,
  /** The part of `spent` that the contract took in addition to the EntryPoint's charge. */
  premium: MoneySumSchema,
  /** The part of `spent` that users paid for in tokens, in wei; the rest was sponsored. */
  usersPaid: signedAmount,
  /** Operations that landed. */
  operations: signedCount,
  /** The part of `spent`, in wei, and of `operations` that the paymaster's own signatures do not explain. */
  elsewhere: SpentElsewhereSchema,
});
export type TankStatement = z.output<typeof TankStatementSchema>;

/** Operations that another paymaster sponsored, and their maximum cost in millionths of a USD: its bill is lower. */
const UpstreamSumSchema = message('UpstreamSum', {
  operations: signedCount,
  /** Their maximum cost. Millionths of a USD. */
  worstCaseUsdMicros: amount,
});
export type UpstreamSum = z.output<typeof UpstreamSumSchema>;

/** A paymaster's statement for a UTC month (`YYYY-MM`): its current tank, then those of earlier funding wallets. */
export const GasTankStatementSchema = message('GasTankStatement', {
  /** UTC, `YYYY-MM`. */
  month: text,
  chainId,
  contract: address,
  /** The current tank first, then those of earlier funding wallets. Empty without a funding wallet. */
  tanks: listOf(TankStatementSchema),
  /** What another paymaster sponsored in this month; absent if nothing. No tank paid for it. */
  upstream: UpstreamSumSchema.exactOptional(),
});
export type GasTankStatement = z.output<typeof GasTankStatementSchema>;

/** A tank on a UTC day (`YYYY-MM-DD`), in wei: its balance at the end, including holds, and what it spent. */
export const GasTankDaySchema = message('GasTankDay', {
  /** UTC, `YYYY-MM-DD`. */
  day: text,
  /** Its balance at the end, including holds. Wei. */
  balance: signedAmount,
  /** What it spent. Wei. */
  spent: amount,
});
export type GasTankDay = z.output<typeof GasTankDaySchema>;
