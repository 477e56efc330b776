import type { Address } from 'viem';

/** A paymaster's gas tank: what its funding wallet has put on chain for its contract. Amounts in wei. */
export type GasTank = {
  readonly chainId: number;
  readonly contract: Address;
  /** Absent while the paymaster has no funding wallet; the tank is empty then. */
  readonly fundingWallet?: Address;
  /** All that was put in less what was taken out; below what is settled and held when held wei were taken out. */
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  /**
   * What can still be signed for: the smallest of the tank's rest, the contract's deposit less all holds on it, and the
   * wallet's balance in the contract less its holds, where the contract keeps one.
   */
  readonly available: bigint;
  /** The contract's deposit at the EntryPoint as last seen; absent while the node does not answer. */
  readonly chainDeposit?: bigint;
  /** Whole days the available wei last at the average of the last seven days; absent when nothing was spent. */
  readonly daysLeft?: number;
  /** Those of the wallets that funded the paymaster before, where there are any: a new wallet takes nothing over. */
  readonly formerTanks?: readonly FormerTank[];
};

/** What a former funding wallet still has: `left` is neither spent nor held, `held` may still be spent. Wei. */
export type FormerTank = { readonly fundingWallet: Address; readonly left: bigint; readonly held: bigint };

export const gasTankEntryKinds = [
  'deposit',
  'withdrawal',
  'credit',
  'debit',
  'hold',
  'release',
  'settle',
  'shortfall',
  'recovery',
] as const;
export type GasTankEntryKind = (typeof gasTankEntryKinds)[number];

/** What an operator can do to a tank by hand. */
export const tankAdjustmentKinds = ['credit', 'debit'] as const satisfies readonly GasTankEntryKind[];
export type TankAdjustmentKind = (typeof tankAdjustmentKinds)[number];

/** One entry of a tank, in the order they were made. `amount` in wei, `createdAt` in Unix seconds. */
export type GasTankEntry = {
  readonly entryId: number;
  readonly kind: GasTankEntryKind;
  readonly amount: bigint;
  readonly createdAt: number;
  readonly reason?: string;
  readonly txHash?: `0x${string}`;
  readonly logIndex?: number;
};
