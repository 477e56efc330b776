import type { Transaction } from 'kysely';
import { groupBy } from '../../base/values/group-by.ts';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { updateRows } from '../../store/statements/row-statements.ts';
import { readAllOf, runTogether } from '../../store/statements/run-together.ts';
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
 * Posts what the chain took from tanks, in the order given. It has happened, so all of it is posted, even when it was more than is
 * free because signatures that may still land hold the rest (a customer's withdrawal, or a charge above its hold). What is missing
 * is then added to the tank as a `shortfall`, nominally, which keeps `held + settled <= funded`: funded minus shortfall is what
 * is really there. `recoverShortfalls` removes it again as holds end or wei come in.
 */
export async function takeFromTanks(
  transaction: Transaction<Database>,
  taken: readonly Taken[],
  booking: Booking,
): Promise<void> {
  if (taken.length === 0) return;
  const { now, coinPrice } = booking;
  const worths = taken.map(({ amount }) => worthWhenBooked(amount, coinPrice));
  const settled = taken.flatMap((one, index) => (one.kind === 'settle' ? [settledBy(one, now, worths[index])] : []));
  const spent = new Map<number, bigint>();
  for (const { tankId, wei } of settled) spent.set(tankId, (spent.get(tankId) ?? 0n) + wei);
  const hours = [...spent.keys()].map((tankId) => ({ tankId, hour: hourOf(now) }));
  const days = [...groupBy(settled, (one) => Object.values(dayOf(one)).join(' ')).values()];
  const tankIds = [...new Set(taken.map(({ tankId }) => tankId))];
  const [tanks, spending, settledDays] = await readAllOf(
    transaction,
    tankIds.map((tankId) => fundsOf({ tankId })),
    hours.map(spentIn),
    days.map(([first]) => settledIn(first && dayOf(first))),
  );
  const books = new Map(tanks.flatMap(([row]) => (row === undefined ? [] : [[row.tank_id, toBooks(row)] as const])));
  const entries = taken.flatMap((one, index) => take(books, one, { now, worth: worths[index] }));
  await runTogether<readonly unknown[]>(
    transaction,
    changeTanks(
      [...books].map(([tank_id, { funded, settled: paid, shortfall }]) => {
        return { tank_id, funded: toWeiText(funded), settled: toWeiText(paid), shortfall: toWeiText(shortfall) };
      }),
    ),
    ...entries,
    ...hours.map((at, index) => spendingWrite(at, spending[index] ?? [], spent.get(at.tankId) ?? 0n)),
    ...days.map((some, index) => settledWrite(some, settledDays[index] ?? [])),
  );
}

/** A tank's sums while several amounts are taken from it, in wei. */
type TankBooks = { funded: bigint; settled: bigint; shortfall: bigint; readonly held: bigint };

function toBooks({ funded, settled, shortfall, held }: RowOf<typeof fundsOf>): TankBooks {
  return {
    funded: fromWeiText(funded),
    settled: fromWeiText(settled),
    shortfall: fromWeiText(shortfall),
    held: fromWeiText(held),
  };
}

/** Takes one amount out of its tank's sums, and returns the statements that write its entries. */
function take(
  books: ReadonlyMap<number, TankBooks>,
  { tankId, kind, amount, at, holdId }: Taken,
  { now, worth }: { readonly now: number; readonly worth: BookedWorth | undefined },
) {
  const tank = books.get(tankId);
  if (tank === undefined) throw new Error(`There is no tank ${tankId} to take from.`);
  if (kind === 'settle') tank.settled += amount;
  else tank.funded -= amount;
  const missing = maxBigint(tank.settled + tank.held - tank.funded, 0n);
  tank.funded += missing;
  tank.shortfall += missing;
  const entry = { tankId, holdId: holdId ?? null, at, now };
  return [
    ...(missing > 0n ? [insertEntry({ ...entry, kind: 'shortfall', amount: missing })] : []),
    insertEntry({ ...entry, kind, amount, worth }),
  ];
}

const fundsOf = fixedStatement<{ readonly tankId: number }>()(({ db, value }) =>
  db
    .selectFrom('tank_books')
    .select(['tank_id', 'funded', 'settled', 'held', 'shortfall'])
    .where('tank_id', '=', value('tankId')),
);
const changeTanks = updateRows('tanks', { funded: 'text', settled: 'text', shortfall: 'text' }, { tank_id: 'number' });

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
