import type { Hex } from 'viem';
import type { Owned } from '../access/owned.ts';
import type { GasTank, GasTankEntry, TankAdjustmentKind } from '../gas-tank.ts';
import type { GasTankDay, GasTankStatement } from '../ledger/tank-statement.ts';
import type { Result } from '../result/result.ts';
import type { DayQuery } from '../utc-days.ts';

/** Gas tanks: what is in them, and what went in and out. */
export type GasTankOperations = {
  /**
   * The paymaster's gas tank; an empty one while it has no funding wallet. `PAYMASTER_CHAIN_NOT_SUPPORTED` and
   * `PAYMASTER_VERSION_NOT_SUPPORTED` when its ledger is no longer kept.
   */
  readGasTank(input: Owned): Promise<Result<GasTank>>;
  /** The tank's entries, newest first: 1 to 200 of them (50 by default), those before `beforeEntryId` where given. */
  listGasTankEntries(
    input: Owned & { beforeEntryId?: number; limit?: number },
  ): Promise<Result<readonly GasTankEntry[]>>;
  /** The tank day by day. The last 30 days when no days are given; at most 366. Empty without a funding wallet. */
  listGasTankDays(input: Owned & DayQuery): Promise<Result<readonly GasTankDay[]>>;
  /** What became of the paymaster's tanks in a UTC month (`YYYY-MM`), the present one when none is given. */
  readGasTankStatement(input: Owned & { month?: string }): Promise<Result<GasTankStatement>>;
  /**
   * Credits or debits a paymaster's tank by hand, `amount` in wei; the operator's alone. `INSUFFICIENT_FUNDS` when a debit
   * asks for more than is neither spent nor held. `reason`: 1 to 200 printable characters, they stand in the ledger.
   * `forTransaction`: the transaction of the deposits of no tank that a credit stands for, or for which a debit takes a
   * credit back; `INVALID_FIELD` where less than `amount` of them is open. `relay`: the paymaster's tank of the relay.
   */
  adjustTank(input: {
    paymasterId: string;
    kind: TankAdjustmentKind;
    amount: bigint;
    reason: string;
    forTransaction?: Hex;
    relay?: true;
  }): Promise<Result<GasTank>>;
};
