import * as api from '@tollfree/contract/gas-tank';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { address, message } from '../base/message-schema.ts';

/** A tank of the relay, filled by plain transfers of the funding wallet to one of the executors, which all these tanks share. */
const RelayTankSchema = message('RelayTank', fieldsOfApi(api.RelayTankSchema));

/** The call that fills a gas tank. Its value is the deposit. */
const TankFillingSchema = message('TankFilling', fieldsOfApi(api.TankFillingSchema));
export type TankFilling = z.output<typeof TankFillingSchema>;

/** A transaction whose deposits for a paymaster contract are in no gas tank. */
export const StrayDepositSchema = message('StrayDeposit', {
  ...fieldsOfApi(api.StrayDepositSchema),
  /** The sender of the transaction, who need not be the payer. Absent if unknown. */
  sender: address.exactOptional(),
});
export type StrayDeposit = z.output<typeof StrayDepositSchema>;

/** What a former funding wallet still has: `left` is neither spent nor held, `held` may still be spent. Wei. */
const FormerTankSchema = message('FormerGasTank', fieldsOfApi(api.FormerTankSchema));
export type FormerTank = z.output<typeof FormerTankSchema>;

/**
 * A paymaster's gas tank: what its funding wallet has deposited on chain for its contract. Amounts in wei. `funded` is lower
 * than `settled` plus `held` if held wei were withdrawn. `available` is the smallest of the tank's remainder, the contract's
 * deposit less all holds on it, and the wallet's balance in the contract less its holds, if the contract keeps balances.
 */
export const GasTankSchema = message(
  'GasTank',
  fieldsOfApi(api.GasTankSchema, {
    filling: TankFillingSchema,
    strayDeposits: StrayDepositSchema,
    formerTanks: FormerTankSchema,
    relay: RelayTankSchema,
  }),
);
export type GasTank = z.output<typeof GasTankSchema>;

export type GasTankEntryKind = (typeof api.gasTankEntryKinds)[number];

/** Manual adjustments of a tank by an operator. */
export const tankAdjustmentKinds = ['credit', 'debit'] as const satisfies readonly GasTankEntryKind[];
export type TankAdjustmentKind = (typeof tankAdjustmentKinds)[number];

/** One entry of a tank, in the order of creation. `amount` in wei, `createdAt` in Unix seconds. */
export const GasTankEntrySchema = message('GasTankEntry', fieldsOfApi(api.GasTankEntrySchema));
export type GasTankEntry = z.output<typeof GasTankEntrySchema>;
