import * as api from '@tollfree/contract/gas-tank-statement';
import type { z } from 'zod';
import { fieldsOfApi } from '../../base/fields-of-api.ts';
import { message } from '../../base/message-schema.ts';

/**
 * The sum of one kind of movement, in wei; negative if more was rolled back than booked. `usdMicros`: millionths of a USD,
 * each entry at the price known when it was booked; `unpriced` entries had no price and are excluded.
 */
const MoneySumSchema = message('MoneySum', fieldsOfApi(api.MoneySumSchema));
export type MoneySum = z.output<typeof MoneySumSchema>;

/** Spending that no signature of the paymaster explains. */
const SpentElsewhereSchema = message('SpentElsewhere', fieldsOfApi(api.SpentElsewhereSchema));

/**
 * One tank in a month, by the booking time of its entries: `opening + deposited - withdrawn + credited - debited - spent =
 * closing`. Holds are not included, since they move nothing.
 */
const TankStatementSchema = message(
  'TankStatement',
  fieldsOfApi(api.TankStatementSchema, {
    ...{ deposited: MoneySumSchema, withdrawn: MoneySumSchema, credited: MoneySumSchema, debited: MoneySumSchema },
    ...{ spent: MoneySumSchema, premium: MoneySumSchema, elsewhere: SpentElsewhereSchema },
  }),
);
export type TankStatement = z.output<typeof TankStatementSchema>;

/** Operations that another paymaster sponsored, and their maximum cost in millionths of a USD: its bill is lower. */
const UpstreamSumSchema = message('UpstreamSum', fieldsOfApi(api.UpstreamSumSchema));
export type UpstreamSum = z.output<typeof UpstreamSumSchema>;

/** A paymaster's statement for a UTC month (`YYYY-MM`): its current tank, then those of earlier funding wallets. */
export const GasTankStatementSchema = message(
  'GasTankStatement',
  fieldsOfApi(api.GasTankStatementSchema, { tanks: TankStatementSchema, upstream: UpstreamSumSchema }),
);
export type GasTankStatement = z.output<typeof GasTankStatementSchema>;

/** A tank on a UTC day (`YYYY-MM-DD`), in wei: its balance at the end, including holds, and what it spent. */
export const GasTankDaySchema = message('GasTankDay', fieldsOfApi(api.GasTankDaySchema));
export type GasTankDay = z.output<typeof GasTankDaySchema>;
