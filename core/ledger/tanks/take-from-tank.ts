import type { Transaction } from 'kysely';
import { minBigint } from '../../base/values/integers.ts';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { updateRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import { type BookedWorth, type Booking, insertEntry, worthWhenBooked } from '../insert-entry.ts';
import { dayOf, hourOf, type Settled, settledIn, settledWrite, spendingWrite, spentIn } from './tank-spending.ts';

/**
 * What the chain took from a tank, in wei: for an operation, or because the customer withdrew it. `cost` is what the
 * EntryPoint took from the contract for the operation, `usersPaid` how much of the amount a user paid for in a token.
 */
type Taken = {
  readonly tankId: number;
  readonly amount: bigint;
  readonly holdId?: number;
  /** The owner of the hold. */
  readonly paymasterId?: string;
  readonly at: EventPosition;
} & ({ readonly kind: 'settle'; readonly cost: bigint; readonly usersPaid: bigint } | { readonly kind: 'withdrawal' });

/**
 * Posts what the chain took from a tank. It has happened, so all of it is posted, even when it was more than is free because
 * signatures that may still land hold the rest (a customer's withdrawal, or a charge above its hold). What is missing is
 * then added to the tank as a `shortfall`, nominally, which keeps `held + settled <= funded`: funded minus shortfall is what
 * is really there. `recoverShortfalls` removes it again as holds end or wei come in.
 */
export async function takeFromTank(
  transaction: Transaction<Database>,
  taken: Taken,
  { now, coinPrice }: Booking,
): Promise<void> {
  const { tankId, amount, at, holdId = null } = taken;
  const worth = worthWhenBooked(amount, coinPrice);
  const settled = taken.kind === 'settle' ? settledBy(taken, now, worth) : undefined;
  const spentAt = settled && { tankId, hour: hourOf(now) };
  const [[tank], spent, days] = await runTogether(
    transaction,
    fundsOf({ tankId }),
    spentIn(spentAt),
    settledIn(settled && dayOf(settled)),
  );
  if (tank === undefined) throw new Error(`There is no tank ${tankId} to take from.`);
  const isSettled = settled !== undefined;
  const settledWei = fromWeiText(tank.settled) + (isSettled ? amount : 0n);
  const funded = fromWeiText(tank.funded) - (isSettled ? 0n : amount);
  const needed = settledWei + fromWeiText(tank.held);
  const missing = needed > funded ? needed - funded : 0n;
  const entry = { tankId, holdId, at, now };
  await runTogether(
    transaction,
    changeTank([
      {
        funded: toWeiText(funded + missing),
        settled: toWeiText(settledWei),
        shortfall: toWeiText(fromWeiText(tank.shortfall) + missing),
        tank_id: tankId,
      },
    ]),
    ...(missing > 0n ? [insertEntry({ ...entry, kind: 'shortfall', amount: missing })] : []),
    insertEntry({ ...entry, kind: taken.kind, amount, worth }),
    ...(spentAt === undefined ? [] : [spendingWrite(spentAt, spent, amount)]),
    ...(settled === undefined ? [] : [settledWrite(settled, days)]),
  );
}

const fundsOf = fixedStatement<{ readonly tankId: number }>()(({ db, value }) =>
  db.selectFrom('tank_books').select(['funded', 'settled', 'held', 'shortfall']).where('tank_id', '=', value('tankId')),
);
const changeTank = updateRows('tanks', { funded: 'text', settled: 'text', shortfall: 'text' }, { tank_id: 'number' });

/** What a settled operation adds to the sums of its day. */
function settledBy(
  { tankId, paymasterId, amount: wei, cost, usersPaid }: Extract<Taken, { readonly kind: 'settle' }>,
  now: number,
  worth: BookedWorth | undefined,
): Settled {
  const { usd_micros: usdMicros = null, usd_micros_per_coin: usdMicrosPerCoin = null } = worth ?? {};
  return { tankId, paymasterId, bookedAt: now, isBack: false, wei, cost, usersPaid, usdMicros, usdMicrosPerCoin };
}

/** Removes shortfalls from tanks again, as far as something is free in them; what is removed can no longer be held. */
export async function recoverShortfalls(
  transaction: Transaction<Database>,
  chainId: number,
  now: number,
): Promise<void> {
  const tanks = await transaction
    .selectFrom('tank_books')
    .select(['tank_id', 'funded', 'settled', 'held', 'shortfall'])
    .where('chain_id', '=', chainId)
    .where('shortfall', '<>', toWeiText(0n))
    .execute();
  for (const tank of tanks) {
    const funded = fromWeiText(tank.funded);
    const shortfall = fromWeiText(tank.shortfall);
    const free = funded - fromWeiText(tank.settled) - fromWeiText(tank.held);
    const amount = minBigint(free, shortfall);
    if (amount <= 0n) continue;
    await transaction
      .updateTable('tanks')
      .set({ funded: toWeiText(funded - amount), shortfall: toWeiText(shortfall - amount) })
      .where('tank_id', '=', tank.tank_id)
      .execute();
    await transaction
      .insertInto('entries')
      .values({ tank_id: tank.tank_id, kind: 'recovery', amount: toWeiText(amount), created_at: now })
      .execute();
  }
}
