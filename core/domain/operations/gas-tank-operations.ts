import { z } from 'zod';
import { amount, count, hex, integer, listMessage, request, text, trueOrAbsent } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import { GasTankEntrySchema, GasTankSchema, tankAdjustmentKinds } from '../gas-tank.ts';
import { GasTankDaySchema, GasTankStatementSchema } from '../ledger/tank-statement.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** Gas tanks: what is in them, and what went in and out. */
export const gasTankOperations = {
  /**
   * The paymaster's gas tank; an empty one while it has no funding wallet. `PAYMASTER_CHAIN_NOT_SUPPORTED` and
   * `PAYMASTER_VERSION_NOT_SUPPORTED` when its ledger is no longer kept.
   */
  readGasTank: { input: request(owned), value: GasTankSchema },
  /** The tank's entries, newest first: 1 to 200 of them (50 by default), those before `beforeEntryId` where given. */
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
    input: request({ ...owned, from: text.exactOptional(), until: text.exactOptional() }),
    value: listMessage('GasTankDayList', 'days', GasTankDaySchema),
  },
  /** What became of the paymaster's tanks in a UTC month (`YYYY-MM`), the present one when none is given. */
  readGasTankStatement: { input: request({ ...owned, month: text.exactOptional() }), value: GasTankStatementSchema },
  /**
   * Credits or debits a paymaster's tank by hand, `amount` in wei; the operator's alone. `INSUFFICIENT_FUNDS` when a debit
   * asks for more than is neither spent nor held. `reason`: 1 to 200 printable characters, they stand in the ledger.
   * `forTransaction`: the transaction of the deposits of no tank that a credit stands for, or for which a debit takes a
   * credit back; `INVALID_FIELD` where less than `amount` of them is open. `relay`: the paymaster's tank of the relay.
   */
  adjustTank: {
    input: request({
      paymasterId: text,
      kind: z.enum(tankAdjustmentKinds),

      /** Wei. */
      amount,

      /** 1 to 200 printable characters. They are in the ledger. */
      reason: text,

      /** The transaction of the deposits of no tank that a credit stands for, or for which a debit takes a credit back. */
      forTransaction: hex.exactOptional(),

      /** Adjusts the paymaster's tank of the relay. */
      relay: trueOrAbsent,
    }),
    value: GasTankSchema,
  },
} as const satisfies CoreMethods;
export type GasTankOperations = OperationsOf<typeof gasTankOperations>;
