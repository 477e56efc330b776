import type { Selectable, Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import { followHolds } from '../accounts/follow-holds.ts';
import type { HoldMove } from '../accounts/legs.ts';
import { addedToDeposit, journalWrites, openJournal } from '../journal.ts';
import { notReversed } from '../reversals.ts';
import { fundTank } from '../tanks/take-from-tanks.ts';
import { addSettled } from '../tanks/tank-days.ts';
import { releaseAgain, revertHold } from './revert-hold.ts';

type Entry = Selectable<Database['journal']>;

/** What blocks after `toBlock` did to a contract; `reversal` is the number that the reversing rows carry. */
export type Reversed = {
  readonly chainId: number;
  readonly contract: string;
  readonly toBlock: bigint;
  readonly reversal: number;
};

/**
 * Reverses what blocks after `toBlock` did to the deposit of a contract and to its tanks, the newest first: for each entry another
 * one takes it off again, and the hold that it ended stands again. Returns how many entries that were.
 */
export async function reverseEntries(transaction: Transaction<Database>, gone: Reversed, now: number): Promise<number> {
  const journal = await openJournal(transaction, gone.chainId, gone.contract);
  const entries = await readEntries(transaction, journal.contractId, gone.toBlock);
  const moves: HoldMove[] = [];
  for (const { entry_id: reverses, ...entry } of entries) {
    journal.deposit -= addedToDeposit({ kind: entry.kind, moved: fromWeiText(entry.moved) });
    moves.push(...(await reverse(transaction, entry, now)));
    journal.rows.push({ ...entry, reverses, reversal: gone.reversal, created_at: now });
  }
  const accounts = await followHolds(transaction, moves, now);
  await runTogether<readonly unknown[]>(transaction, ...journalWrites(journal), ...accounts);
  return entries.length;
}

/** Entries that come from the chain, the newest first. */
function readEntries(
  transaction: Transaction<Database>,
  contractId: number,
  toBlock: bigint,
): Promise<readonly Entry[]> {
  return transaction
    .selectFrom('journal')
    .selectAll()
    .where('contract_id', '=', contractId)
    .where('block_number', '>', Number(toBlock))
    .where(notReversed('journal', 'entry_id'))
    .orderBy('entry_id', 'desc')
    .execute();
}

/** Takes an entry out of its tank's sums. Returns the holds that change by it, which the accounts are to follow. */
async function reverse(
  transaction: Transaction<Database>,
  entry: Omit<Entry, 'entry_id'>,
  now: number,
): Promise<readonly HoldMove[]> {
  const { kind, tank_id: tankId, hold_id: holdId } = entry;
  const amount = fromWeiText(entry.amount);
  if (tankId !== null) {
    if (kind === 'deposit') await fundTank(transaction, tankId, -amount);
    if (kind === 'withdrawal') await fundTank(transaction, tankId, amount);
    if (kind === 'settle') {
      await takeOffSettled(transaction, tankId, amount);
      await addSettled(transaction, {
        tankId,
        paymasterId: await readOwner(transaction, holdId),
        postedAt: now,
        isBack: true,
        wei: amount,
        cost: fromWeiText(entry.moved),
        usersPaid: entry.users_paid === null ? 0n : fromWeiText(entry.users_paid),
        usdMicros: entry.usd_micros,
        usdMicrosPerCoin: entry.usd_micros_per_coin,
      });
    }
  }
  if (holdId === null) return [];
  return [(await releaseAgain(transaction, holdId)) ?? (await revertHold(transaction, holdId))];
}

async function takeOffSettled(transaction: Transaction<Database>, tankId: number, wei: bigint): Promise<void> {
  const { settled } = await transaction
    .selectFrom('tanks')
    .select('settled')
    .where('tank_id', '=', tankId)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('tanks')
    .set({ settled: toWeiText(fromWeiText(settled) - wei) })
    .where('tank_id', '=', tankId)
    .execute();
}

/** The paymaster of a hold; undefined if there is none. */
async function readOwner(transaction: Transaction<Database>, holdId: number | null): Promise<string | undefined> {
  if (holdId === null) return undefined;
  const hold = await transaction
    .selectFrom('holds')
    .select('paymaster_id')
    .where('hold_id', '=', holdId)
    .executeTakeFirst();
  return hold?.paymaster_id;
}
