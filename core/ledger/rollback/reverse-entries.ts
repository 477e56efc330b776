import type { Selectable, Transaction } from 'kysely';
import type { Address } from 'viem';
import type { Database } from '../../store/database.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toSignedWeiText, toWeiText } from '../../store/wei.ts';
import { followHolds } from '../accounts/follow-holds.ts';
import type { HoldMove } from '../accounts/legs.ts';
import { journalDeposit } from '../posting/post-movement.ts';
import { notReversed } from '../reversals.ts';
import { addSettled, addSpending, type Settled } from '../tanks/tank-spending.ts';
import { releaseAgain, reopenHold } from './reopen-hold.ts';

/** Transactions per query. */
const maxAtOnce = 500;

type Entry = Selectable<Database['entries']>;

/** `txHashes` are those that changed the contract's deposit in those blocks. */
type Gone = Reversed & { readonly txHashes: readonly string[] };

/**
 * Reverses what blocks after `toBlock` did to the tanks of a contract. Shortfalls are not reversed: a shortfall stands for
 * what is missing, and ends when that is there.
 */
export async function reverseEntries(transaction: Transaction<Database>, gone: Gone, now: number): Promise<void> {
  const tanks = new Map<number, TankDraft>();
  const moves: HoldMove[] = [];
  for (const entry of await readEntries(transaction, gone)) {
    const tank = tanks.get(entry.tank_id) ?? (await readTankDraft(transaction, entry.tank_id));
    tanks.set(entry.tank_id, tank);
    if (!(await reverse(transaction, { gone, tank, entry, moves, now }))) continue;
    const { entry_id: reverses, ...row } = entry;
    await transaction
      .insertInto('entries')
      .values({ ...row, reverses, rewind: gone.rewind, created_at: now })
      .execute();
  }
  for (const tank of tanks.values()) await keepTankDraft(transaction, tank, now);
  await runTogether(transaction, ...(await followHolds(transaction, moves, now)));
}

/** Entries that come from the chain, the newest first. */
async function readEntries(transaction: Transaction<Database>, gone: Gone): Promise<readonly Entry[]> {
  const found = await chainEntries(transaction, gone)
    .where('entries.block_number', '>', Number(gone.toBlock))
    .execute();
  // Those of earlier versions do not contain their block.
  for (let start = 0; start < gone.txHashes.length; start += maxAtOnce) {
    const some = chainEntries(transaction, gone)
      .where('entries.block_number', 'is', null)
      .where('entries.tx_hash', 'in', gone.txHashes.slice(start, start + maxAtOnce));
    found.push(...(await some.execute()));
  }
  return found.sort((one, other) => other.entry_id - one.entry_id);
}

function chainEntries(transaction: Transaction<Database>, { chainId, contract }: Gone) {
  return transaction
    .selectFrom('entries')
    .innerJoin('tanks', 'tanks.tank_id', 'entries.tank_id')
    .selectAll('entries')
    .where('tanks.chain_id', '=', chainId)
    .where('tanks.contract', '=', contract)
    .where('entries.kind', 'in', ['deposit', 'withdrawal', 'settle', 'release'])
    .where('entries.tx_hash', 'is not', null)
    .where(notReversed('entries', 'entry_id'));
}

/** An entry to be removed from its tank's sums. */
type Reversal = {
  readonly gone: Gone;
  readonly tank: TankDraft;
  readonly entry: Entry;
  /** Holds that change by it, which the sums follow once all tanks have what is held again. */
  readonly moves: HoldMove[];
  readonly now: number;
};

/** Takes an entry out of a tank's sums. False for an entry that stays. */
async function reverse(
  transaction: Transaction<Database>,
  { gone, tank, entry, moves, now }: Reversal,
): Promise<boolean> {
  const { kind, amount: text, hold_id: holdId, created_at: bookedAt } = entry;
  const amount = fromWeiText(text);
  switch (kind) {
    case 'deposit':
      tank.funded -= amount;
      return true;
    case 'withdrawal':
      tank.funded += amount;
      return true;
    case 'settle':
      tank.settled -= amount;
      await addSpending(transaction, tank.tankId, bookedAt, -amount);
      await addSettled(transaction, {
        tankId: tank.tankId,
        ...(await readLanded(transaction, holdId)),
        ...{ bookedAt: now, isBack: true, wei: amount, cost: (await readCost(transaction, gone, entry)) ?? amount },
        ...{ usdMicros: entry.usd_micros, usdMicrosPerCoin: entry.usd_micros_per_coin },
      });
      if (holdId !== null)
        moves.push(...[await releaseAgain(transaction, holdId)].filter((move) => move !== undefined));
      return true;
    case 'release': {
      if (holdId === null) return false;
      const move = await reopenHold(transaction, holdId);
      moves.push(move);
      const stands = move.after.isLive;
      if (stands) tank.heldAgain += amount;
      return stands;
    }
    default:
      return false;
  }
}

/** The owner of the hold, and what its user paid in a token, in wei. */
async function readLanded(
  transaction: Transaction<Database>,
  holdId: number | null,
): Promise<Pick<Settled, 'paymasterId' | 'usersPaid'>> {
  if (holdId === null) return { paymasterId: undefined, usersPaid: 0n };
  const hold = await transaction
    .selectFrom('holds')
    .select(['paymaster_id', 'users_paid'])
    .where('hold_id', '=', holdId)
    .executeTakeFirst();
  return { paymasterId: hold?.paymaster_id, usersPaid: hold?.users_paid == null ? 0n : fromWeiText(hold.users_paid) };
}

/** What the EntryPoint took for the operation; undefined where the journal does not have it. */
async function readCost(
  transaction: Transaction<Database>,
  { chainId, contract }: Gone,
  { tx_hash, log_index, rewind }: Entry,
): Promise<bigint | undefined> {
  const movement = await transaction
    .selectFrom('movements')
    .select('amount')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('tx_hash', '=', tx_hash)
    .where('log_index', '=', log_index)
    .where('rewind', '=', rewind)
    .where('kind', '=', 'cost')
    .where('reverses', 'is', null)
    .executeTakeFirst();
  return movement === undefined ? undefined : fromWeiText(movement.amount);
}

/**
 * A tank's sums while several entries are rolled back, and what its holds are going to hold again; wei. `funded` may be below what is
 * needed until it is kept.
 */
type TankDraft = {
  readonly tankId: number;
  readonly held: bigint;
  funded: bigint;
  settled: bigint;
  shortfall: bigint;
  heldAgain: bigint;
};

async function readTankDraft(transaction: Transaction<Database>, tankId: number): Promise<TankDraft> {
  const row = await transaction
    .selectFrom('tank_books')
    .select(['funded', 'settled', 'held', 'shortfall'])
    .where('tank_id', '=', tankId)
    .executeTakeFirstOrThrow();
  return {
    tankId,
    held: fromWeiText(row.held),
    heldAgain: 0n,
    funded: fromWeiText(row.funded),
    settled: fromWeiText(row.settled),
    shortfall: fromWeiText(row.shortfall),
  };
}

/** Writes the sums except for what is held. What is missing for what is settled and held goes into the tank in name only (see `takeFromTanks`). */
async function keepTankDraft(
  transaction: Transaction<Database>,
  { tankId, funded, settled, held, shortfall, heldAgain }: TankDraft,
  now: number,
): Promise<void> {
  const needed = settled + held + heldAgain;
  const missing = needed > funded ? needed - funded : 0n;
  await transaction
    .updateTable('tanks')
    .set({
      funded: toWeiText(funded + missing),
      settled: toWeiText(settled),
      shortfall: toWeiText(shortfall + missing),
    })
    .where('tank_id', '=', tankId)
    .execute();
  if (missing === 0n) return;
  await transaction
    .insertInto('entries')
    .values({ tank_id: tankId, kind: 'shortfall', amount: toWeiText(missing), created_at: now })
    .execute();
}

/** What blocks after `toBlock` did to a contract; `rewind` is the number that the reversing rows carry. */
export type Reversed = {
  readonly chainId: number;
  readonly contract: Address;
  readonly toBlock: bigint;
  readonly rewind: number;
};

/** Reverses the changes of a contract's deposit, the newest first, and returns which transactions made them. */
export async function reverseMovements(
  transaction: Transaction<Database>,
  { chainId, contract, toBlock, rewind }: Reversed,
  now: number,
): Promise<{ readonly count: number; readonly txHashes: readonly string[] }> {
  const rows = await transaction
    .selectFrom('movements')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('block_number', '>', Number(toBlock))
    .where(notReversed('movements', 'movement_id'))
    .orderBy('movement_id', 'desc')
    .execute();
  let deposit = await journalDeposit(transaction, chainId, contract);
  for (const { movement_id: reverses, ...row } of rows) {
    deposit += row.kind === 'deposit' ? -fromWeiText(row.amount) : fromWeiText(row.amount);
    await transaction
      .insertInto('movements')
      .values({ ...row, reverses, rewind, created_at: now })
      .execute();
  }
  await transaction
    .updateTable('contract_totals')
    .set({ deposit: toSignedWeiText(deposit) })
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .execute();
  return { count: rows.length, txHashes: [...new Set(rows.map((row) => row.tx_hash))] };
}
