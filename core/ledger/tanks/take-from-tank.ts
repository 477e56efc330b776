import type { Transaction } from 'kysely';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';
import { rollbacksOfTank } from '../reversals/current-rollback.ts';
import type { Booking } from './booking.ts';
import { addSettled } from './settled-days.ts';
import { addSpending } from './tank-spending.ts';
import { worthWhenBooked } from './worth-when-booked.ts';

/**
 * What the chain took from a tank, in wei: for an operation, or out of it by the customer. `cost` is what the EntryPoint took for
 * the operation from the contract, `usersPaid` what of the amount a user paid for in a token.
 */
export type Taken = {
  readonly tankId: number;
  readonly amount: bigint;
  readonly holdId?: number;
  /** Whose hold that is. */
  readonly paymasterId?: string;
  readonly at: EventPosition;
} & ({ readonly kind: 'settle'; readonly cost: bigint; readonly usersPaid: bigint } | { readonly kind: 'withdrawal' });

/**
 * Posts what the chain took from a tank. It has happened, so it is booked whole, also when it was more than is free
 * because signatures that may still land hold the rest (a customer's withdrawal, or a charge above its hold). What is
 * missing then goes into the tank as a `shortfall`, in name only, which keeps `held + settled <= funded`: funded less
 * shortfall is what is really there. `recoverShortfalls` takes it out again as holds end or wei come in.
 */
export async function takeFromTank(
  transaction: Transaction<Database>,
  taken: Taken,
  { now, coinPrice }: Booking,
): Promise<void> {
  const tank = await transaction
    .selectFrom('tanks')
    .select(['funded', 'settled', 'held', 'shortfall'])
    .where('tank_id', '=', taken.tankId)
    .executeTakeFirstOrThrow();
  const settles = taken.kind === 'settle';
  const settled = fromWeiText(tank.settled) + (settles ? taken.amount : 0n);
  const funded = fromWeiText(tank.funded) - (settles ? 0n : taken.amount);
  const needed = settled + fromWeiText(tank.held);
  const missing = needed > funded ? needed - funded : 0n;
  await transaction
    .updateTable('tanks')
    .set({
      funded: toWeiText(funded + missing),
      settled: toWeiText(settled),
      shortfall: toWeiText(fromWeiText(tank.shortfall) + missing),
    })
    .where('tank_id', '=', taken.tankId)
    .execute();
  const common = {
    tank_id: taken.tankId,
    hold_id: taken.holdId ?? null,
    tx_hash: taken.at.txHash,
    log_index: taken.at.logIndex,
    block_number: Number(taken.at.blockNumber),
    rewind: rollbacksOfTank(taken.tankId),
    created_at: now,
  };
  if (missing > 0n) {
    await transaction
      .insertInto('entries')
      .values({ ...common, kind: 'shortfall', amount: toWeiText(missing) })
      .execute();
  }
  const worth = worthWhenBooked(taken.amount, coinPrice);
  await transaction
    .insertInto('entries')
    .values({ ...common, kind: taken.kind, amount: toWeiText(taken.amount), ...worth })
    .execute();
  if (taken.kind !== 'settle') return;
  const { tankId, paymasterId, amount: wei, cost, usersPaid } = taken;
  await addSpending(transaction, tankId, now, wei);
  const { usd_micros: usdMicros = null, usd_micros_per_coin: usdMicrosPerCoin = null } = worth ?? {};
  const booked = { bookedAt: now, isBack: false, wei, cost, usersPaid, usdMicros, usdMicrosPerCoin };
  await addSettled(transaction, { tankId, paymasterId, ...booked });
}
