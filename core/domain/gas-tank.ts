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
  /** Their balances are shared by all these tanks. */
  executors: listOf(address),
  /** All deposits so far. Wei. */
  funded: amount,
  /** Paid for operations. Wei. */
  settled: amount,
  /** Held for operations that may still land. Wei. */
  held: amount,
  /** Available for relaying. Wei. */
  available: amount,
});

/** Who may send the call that fills a tank: only the funding wallet, or anyone. */
export { tankFillers };

/** The call that fills a gas tank. Its value is the deposit. */
const TankFillingSchema = message('TankFilling', {
  /** The EntryPoint, the tank funder, or the paymaster contract if it keeps customer balances. */
  to: address,
  /** As text: `depositTo(0x…)`. */
  call: text,
  /** The same as call data, `0x` and hex digits. */
  data: hex,
  /** `funding-wallet`: in a transaction of its own, sent directly to `to`, without another deposit for the contract. */
  from: z.enum(tankFillers),
});
export type TankFilling = z.output<typeof TankFillingSchema>;

/** A transaction whose deposits for a paymaster contract are in no gas tank. */
export const StrayDepositSchema = message('StrayDeposit', {
  txHash: hex,
  /** Wei that were deposited and that no operator credit covers. */
  amount,
  /** The sender of the transaction, who need not be the payer. Absent if unknown. */
  sender: address.exactOptional(),
  /** How the wei can get into a tank, or why they cannot, in words. */
  wayBack: text,
});
export type StrayDeposit = z.output<typeof StrayDepositSchema>;

/** What a former funding wallet still has: `left` is neither spent nor held, `held` may still be spent. Wei. */
const FormerTankSchema = message('FormerGasTank', {
  fundingWallet: address,
  /** Neither spent nor held. Wei. */
  left: amount,
  /** Held for signatures that may still land. Wei. */
  held: amount,
});
export type FormerTank = z.output<typeof FormerTankSchema>;

/** A paymaster's gas tank: what its funding wallet has deposited on chain for its contract. Amounts in wei. */
export const GasTankSchema = message('GasTank', {
  chainId,
  contract: address,
  /** Absent while the paymaster has no funding wallet; the tank is empty then. */
  fundingWallet: address.exactOptional(),
  /** All deposits less withdrawals; lower than settled plus held if held wei were withdrawn. */
  funded: amount,
  /** Paid for operations. Wei. */
  settled: amount,
  /** Held for signatures that may still land. Wei. */
  held: amount,
  /**
   * Available for signing: the smallest of the tank's remainder, the contract's deposit less all holds on it, and the
   * wallet's balance in the contract less its holds, if the contract keeps balances.
   */
  available: amount,
  /** The contract's deposit at the EntryPoint as last read. Wei. Absent while the node does not answer. */
  chainDeposit: amount.exactOptional(),
  /** How many whole days the available wei last at the average of the last seven days; absent when nothing was spent. */
  daysLeft: count.exactOptional(),
  /** Unix seconds: older entries of operations are archived and only included in the sums. Absent if none are. */
  entriesSince: seconds.exactOptional(),
  /** Tanks of the wallets that funded the paymaster before, if any: a new wallet does not inherit them. */
  formerTanks: filledListOf(FormerTankSchema),
  /**
   * How the tank is filled. Absent while the paymaster has no funding wallet, or nothing is signed for its contract.
   */
  filling: TankFillingSchema.exactOptional(),
  /**
   * Deposits for the contract that the funding wallet sent and that are in no tank, largest first; absent if there are none.
   */
  strayDeposits: filledListOf(StrayDepositSchema),
  /** What the funding wallet has deposited in the relay of the paymaster's EntryPoint; absent without a relay. */
  relay: RelayTankSchema.exactOptional(),
});
export type GasTank = z.output<typeof GasTankSchema>;

export { gasTankEntryKinds };
export type GasTankEntryKind = (typeof gasTankEntryKinds)[number];

/** Manual adjustments of a tank by an operator. */
export const tankAdjustmentKinds = ['credit', 'debit'] as const satisfies readonly GasTankEntryKind[];
export type TankAdjustmentKind = (typeof tankAdjustmentKinds)[number];

/** One entry of a tank, in the order of creation. `amount` in wei, `createdAt` in Unix seconds. */
export const GasTankEntrySchema = message('GasTankEntry', {
  entryId: count,
  kind: z.enum(gasTankEntryKinds),
  /** Wei. */
  amount,
  createdAt: seconds,
  /** The entry that this one reverses because its transaction is no longer on the chain. */
  reverses: count.exactOptional(),
  /**
   * For a credit or debit: the operator's reason. For a release: that the operator released it, why, and the proof that it
   * was safe.
   */
  reason: text.exactOptional(),
  /** The transaction, for an entry from the chain or for a deposit of no tank. */
  txHash: hex.exactOptional(),
  logIndex: count.exactOptional(),
});
export type GasTankEntry = z.output<typeof GasTankEntrySchema>;
