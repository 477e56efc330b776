import type { Address } from 'viem';

/**
 * What went in or out under one head, in wei; below 0 where more was rolled back than booked. `usdMicros`: millionths of a
 * USD, each entry at the price that was known when it was booked; `unpriced` entries had none and are left out of it.
 */
export type MoneySum = { readonly wei: bigint; readonly usdMicros: bigint; readonly unpriced: number };

/**
 * What became of one tank in a month, by the time at which its entries were booked:
 * `opening + deposited - withdrawn + credited - debited - spent = closing`. Holds are no part of it: they move nothing.
 */
export type TankStatement = {
  readonly fundingWallet: Address;
  /** What had been paid in and was not spent, in wei. */
  readonly opening: bigint;
  readonly closing: bigint;
  readonly deposited: MoneySum;
  readonly withdrawn: MoneySum;
  /** By the operator. */
  readonly credited: MoneySum;
  readonly debited: MoneySum;
  /** What operations that landed have cost the tank. */
  readonly spent: MoneySum;
  /** The part of `spent` that the contract took on top of what the EntryPoint took from it. */
  readonly premium: MoneySum;
  /** The part of `spent` that users paid for in tokens, in wei; the rest was sponsored. */
  readonly usersPaid: bigint;
  /** Operations that landed. */
  readonly operations: number;
  /** The part of `spent`, in wei, and of `operations` that the paymaster's own signatures do not explain. */
  readonly elsewhere: { readonly wei: bigint; readonly operations: number };
};

/** Operations that another paymaster sponsored, and what they could cost at worst, in millionths of a USD: its bill is lower. */
export type UpstreamSum = { readonly operations: number; readonly worstCaseUsdMicros: bigint };

/** A paymaster's statement of a UTC month (`YYYY-MM`): that of its tank, then those of earlier funding wallets. */
export type GasTankStatement = {
  readonly month: string;
  readonly chainId: number;
  readonly contract: Address;
  readonly tanks: readonly TankStatement[];
  /** What another paymaster sponsored meanwhile; absent for nothing. No tank paid for it. */
  readonly upstream?: UpstreamSum;
};

/** A tank on a UTC day (`YYYY-MM-DD`), in wei: what was in it at the end, held or not, and what was spent of it. */
export type GasTankDay = { readonly day: string; readonly balance: bigint; readonly spent: bigint };
