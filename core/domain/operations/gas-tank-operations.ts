import { gasTankOperations as api } from '@tollfree/contract/gas-tank';
import { z } from 'zod';
import { amount, count, hex, integer, listMessage, request, text, trueOrAbsent } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import { GasTankEntrySchema, GasTankSchema, tankAdjustmentKinds } from '../gas-tank.ts';
import { AccountStatementSchema, GasTankDaySchema, GasTankStatementSchema } from '../ledger-report.ts';
import { type CoreMethods, inputOf } from './core-methods.ts';

/** Gas tanks: their balances and movements. */
export const gasTankOperations = {
  /**
   * The paymaster's gas tank; empty while it has no funding wallet. `PAYMASTER_CHAIN_NOT_SUPPORTED` and
   * `PAYMASTER_VERSION_NOT_SUPPORTED` when its ledger is no longer kept.
   */
  readGasTank: { input: inputOf(api.read), value: GasTankSchema },
  /** The tank's entries, newest first: 1 to 200 of them (50 by default), before `beforeEntryId` if given. */
  listGasTankEntries: {
    input: request({
      ...owned,
      /** Only entries with a lower id. Absent: from the newest on. */
      beforeEntryId: count.exactOptional(),
      limit: integer.exactOptional(),
    }),
    value: listMessage('GasTankEntryList', 'entries', GasTankEntrySchema),
  },
  /** The tank day by day. The last 30 days when no days are given; at most 366. Empty without a funding wallet. */
  listGasTankDays: {
    input: inputOf(api.listDays),
    value: listMessage('GasTankDayList', 'days', GasTankDaySchema),
  },
  /** The paymaster's tanks in a UTC month (`YYYY-MM`), the current one by default. */
  readGasTankStatement: { input: inputOf(api.readStatement), value: GasTankStatementSchema },
  /** The statements of all paymasters of an account for a UTC month, a page from `cursor` on, in the order they were created. */
  readAccountStatement: { input: inputOf(api.readAccountStatement), value: AccountStatementSchema },
  /**
   * Credits or debits a paymaster's tank by hand, `amount` in wei; operator only. `INSUFFICIENT_FUNDS` when a debit exceeds
   * what is neither spent nor held. `reason`: 1 to 200 printable characters, recorded in the ledger. `forTransaction`: the
   * transaction of the stray deposits that a credit covers, or for which a debit reverses a credit; `INVALID_FIELD` if less
   * than `amount` of them is open. `relay`: the paymaster's tank of the relay.
   */
  adjustTank: {
    input: request({
      paymasterId: text,
      kind: z.enum(tankAdjustmentKinds),

      /** Wei. */
      amount,

      /** 1 to 200 printable characters, recorded in the ledger. */
      reason: text,

      /** The transaction of the stray deposits that a credit covers, or for which a debit reverses a credit. */
      forTransaction: hex.exactOptional(),

      /** Adjusts the paymaster's tank of the relay. */
      relay: trueOrAbsent,
    }),
    value: GasTankSchema,
  },
} as const satisfies CoreMethods;
