import { gasTankEntryKinds, tankFillers } from '@tollfree/contract/gas-tank';
import { z } from 'zod';
import {
  address,
  amount,
  chainId,
  count,
  filledListOf,
  hex,
  listOf,
  message,
  seconds,
  text,
} from '../base/message-schema.ts';

/** A tank of the relay, filled by plain transfers of the funding wallet to one of the executors. Amounts in wei. */
const RelayTankSchema = message('RelayTank', {
  /** Their balances are what all these tanks share. */
  executors: listOf(address),
  /** All that was ever put in. Wei. */
  funded: amount,
  /** Paid for operations. Wei. */
  settled: amount,
  /** Set aside for operations that may still land. Wei. */
  held: amount,
  /** What can still be relayed for. Wei. */
  available: amount,
});

/** Who may send the call that fills a tank: the funding wallet itself and alone, or anybody. */
export { tankFillers };

/** The call that fills a gas tank. Its value is what comes in. */
const TankFillingSchema = message('TankFilling', {
  /**
   * The EntryPoint, the contract that fills tanks, or the paymaster contract where it keeps balances of its customers.
   */
  to: address,
  /** As a person writes it: `depositTo(0x…)`. */
  call: text,
  /** The same as call data, `0x` and hex digits. */
  data: hex,
  /** `funding-wallet`: its own transaction, straight to `to`, with no other deposit for the contract in it. */
  from: z.enum(tankFillers),
});
export type TankFilling = z.output<typeof TankFillingSchema>;

/** A transaction whose deposits for a paymaster contract went into no gas tank. */
export const StrayDepositSchema = message('StrayDeposit', {
  txHash: hex,
  /** Wei that came in and that no credit of the operator stands for. */
  amount,
  /** Who sent the transaction, which need not be who paid. Absent where it is not known. */
  sender: address.exactOptional(),
  /** How the wei come to a tank, or why they do not, in words. */
  wayBack: text,
});
export type StrayDeposit = z.output<typeof StrayDepositSchema>;

/** What a former funding wallet still has: `left` is neither spent nor held, `held` may still be spent. Wei. */
const FormerTankSchema = message('FormerGasTank', {
  fundingWallet: address,
  /** Neither spent nor held. Wei. */
  left: amount,
  /** Set aside for signatures that may still land. Wei. */
  held: amount,
});
export type FormerTank = z.output<typeof FormerTankSchema>;

/** A paymaster's gas tank: what its funding wallet has put on chain for its contract. Amounts in wei. */
export const GasTankSchema = message('GasTank', {
  chainId,
  contract: address,
  /** Absent while the paymaster has no funding wallet; the tank is empty then. */
  fundingWallet: address.exactOptional(),
  /** All that was put in less what was taken out; below what is settled and held when held wei were taken out. */
  funded: amount,
  /** Paid for operations. Wei. */
  settled: amount,
  /** Set aside for signatures that may still land. Wei. */
  held: amount,
  /**
   * What can still be signed for: the smallest of the tank's rest, the contract's deposit less all holds on it, and the
   * wallet's balance in the contract less its holds, where the contract keeps one.
   */
  available: amount,
  /** The contract's deposit at the EntryPoint as last seen. Wei. Absent while the node does not answer. */
  chainDeposit: amount.exactOptional(),
  /** Whole days the available wei last at the average of the last seven days; absent when nothing was spent. */
  daysLeft: count.exactOptional(),
  /** Unix seconds: entries of operations from before are archived, and in the sums alone. Absent while none are. */
  entriesSince: seconds.exactOptional(),
  /** Those of the wallets that funded the paymaster before, where there are any: a new wallet takes nothing over. */
  formerTanks: filledListOf(FormerTankSchema),
  /**
   * How the tank is filled. Absent while the paymaster has no funding wallet, or nothing is signed for its contract.
   */
  filling: TankFillingSchema.exactOptional(),
  /** Deposits for the contract that the funding wallet sent and that no tank has, largest first; absent without any. */
  strayDeposits: filledListOf(StrayDepositSchema),
  /** What the funding wallet has put into the relay of the paymaster's EntryPoint; absent where there is none. */
  relay: RelayTankSchema.exactOptional(),
});
export type GasTank = z.output<typeof GasTankSchema>;

export { gasTankEntryKinds };
export type GasTankEntryKind = (typeof gasTankEntryKinds)[number];

/** What an operator can do to a tank by hand. */
export const tankAdjustmentKinds = ['credit', 'debit'] as const satisfies readonly GasTankEntryKind[];
export type TankAdjustmentKind = (typeof tankAdjustmentKinds)[number];

/** One entry of a tank, in the order they were made. `amount` in wei, `createdAt` in Unix seconds. */
export const GasTankEntrySchema = message('GasTankEntry', {
  entryId: count,
  kind: z.enum(gasTankEntryKinds),
  /** Wei. */
  amount,
  createdAt: seconds,
  /** The entry that this one takes back, since its transaction is no longer on the chain: it counts the other way. */
  reverses: count.exactOptional(),
  /**
   * For a credit or debit: the operator's reason. For a release: that the operator released it, why, and the proof that
   * it was safe.
   */
  reason: text.exactOptional(),
  /** The transaction, of what came from the chain or stands for a deposit of no tank. */
  txHash: hex.exactOptional(),
  logIndex: count.exactOptional(),
});
export type GasTankEntry = z.output<typeof GasTankEntrySchema>;
