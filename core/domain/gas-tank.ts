import { gasTankEntryKinds, tankFillers } from '@tollfree/contract/gas-tank';
import type { Address, Hex } from 'viem';

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
  /** Unix seconds: entries of operations from before are archived, and in the sums alone. Absent while none are. */
  readonly entriesSince?: number;
  /** Those of the wallets that funded the paymaster before, where there are any: a new wallet takes nothing over. */
  readonly formerTanks?: readonly FormerTank[];
  /** How the tank is filled; absent while the paymaster has no funding wallet, or nothing is signed for its contract. */
  readonly filling?: TankFilling;
  /** Deposits for the contract that the funding wallet sent and that no tank has, largest first; absent without any. */
  readonly strayDeposits?: readonly StrayDeposit[];
  /** What the funding wallet has put into the relay of the paymaster's EntryPoint; absent where there is none. */
  readonly relay?: RelayTank;
};

/** A tank of the relay, filled by plain transfers of the funding wallet to one of the executors. Amounts in wei. */
export type RelayTank = {
  readonly executors: readonly Address[];
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  readonly available: bigint;
};

/** Who may send the call that fills a tank: the funding wallet itself and alone, or anybody. */
export { tankFillers };
export type TankFiller = (typeof tankFillers)[number];

/** The call that fills a tank; its value is what comes in. */
export type TankFilling = {
  readonly to: Address;
  /** As a person writes it: `depositTo(0x…)`. */
  readonly call: string;
  readonly data: Hex;
  /** `funding-wallet`: its own transaction, straight to `to`, with no other deposit for the contract in it. */
  readonly from: TankFiller;
};

/** A transaction whose deposits for a contract went into no tank. */
export type StrayDeposit = {
  readonly txHash: Hex;
  /** Wei that came in and that no credit of the operator stands for. */
  readonly amount: bigint;
  /** Who sent the transaction, which need not be who paid; absent where it is not known. */
  readonly sender?: Address;
  /** How the wei come to a tank, or why they do not, in words. */
  readonly wayBack: string;
};

/** What a former funding wallet still has: `left` is neither spent nor held, `held` may still be spent. Wei. */
export type FormerTank = { readonly fundingWallet: Address; readonly left: bigint; readonly held: bigint };

export { gasTankEntryKinds };
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
  /** The entry that this one takes back, since its transaction is no longer on the chain: it counts the other way. */
  readonly reverses?: number;
  readonly reason?: string;
  readonly txHash?: `0x${string}`;
  readonly logIndex?: number;
};
