import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

/** What is open at a tank of one sender or client: how many live holds, and their sum in wei. */
export type OpenHolds = { count: number; amount: bigint };

/** By client, or sender of a client, and tank: {@link openIdentity}. */
export type OpenHoldCounts = Map<
  string,
  OpenHolds & { readonly tankId: number; readonly whose: string; changed: boolean }
>;

type SenderOfClient = { readonly sender: string; readonly client?: string | null | undefined };

/**
 * A sender, as far as one client has asked for it. No one needs a key of an account to ask for a signature: what
 * strangers have asked for in its name does not count against whom it belongs to.
 */
export function senderOfClient({ sender, client }: SenderOfClient): string {
  return `${sender}:${client ?? ''}`;
}

/** For whom a hold counts: its sender, as far as its client asks for it, and that client where there is one. */
export function countedFor({ sender, client }: SenderOfClient): readonly string[] {
  return [senderOfClient({ sender, client }), ...(client === undefined || client === null ? [] : [client])];
}

/** Whose the holds of a tank are that last long: they count together, no matter who asks. */
export function lastingLongAt(tankId: number): string {
  return `lasts-long:${tankId}`;
}

/** One text for a client, or a sender of a client, at a tank, for maps. */
export function openIdentity(tankId: number, whose: string): string {
  return `${tankId}:${whose}`;
}

/** Reads what these senders and clients have open. */
export async function readOpenHolds(
  transaction: Transaction<Database>,
  those: Iterable<string>,
): Promise<OpenHoldCounts> {
  const rows = await transaction
    .selectFrom('open_holds')
    .selectAll()
    .where('whose', 'in', dialectOf(transaction).texts([...new Set(those)]))
    .execute();
  return new Map(
    rows.map(({ tank_id: tankId, whose, count, amount }) => [
      openIdentity(tankId, whose),
      { tankId, whose, count, amount: fromWeiText(amount), changed: false },
    ]),
  );
}

/**
 * Counts a hold that is added, or what is added to one; below 0 one that has ended. The book must have read `whose`.
 */
export function addOpenHold(
  book: OpenHoldCounts,
  { tankId, whose }: { readonly tankId: number; readonly whose: string },
  count: number,
  amount: bigint,
): void {
  const identity = openIdentity(tankId, whose);
  const before = book.get(identity) ?? { count: 0, amount: 0n };
  book.set(identity, { tankId, whose, count: before.count + count, amount: before.amount + amount, changed: true });
}

export async function writeOpenHolds(transaction: Transaction<Database>, book: OpenHoldCounts): Promise<void> {
  const open: { whose: string; tank_id: number; count: number; amount: string }[] = [];
  for (const { tankId, whose, count, amount, changed } of book.values()) {
    if (!changed) continue;
    if (count !== 0) open.push({ whose, tank_id: tankId, count, amount: toWeiText(amount) });
    else await transaction.deleteFrom('open_holds').where('whose', '=', whose).where('tank_id', '=', tankId).execute();
  }
  if (open.length === 0) return;
  await transaction
    .insertInto('open_holds')
    .values(open)
    .onConflict((conflict) =>
      conflict.columns(['whose', 'tank_id']).doUpdateSet(({ ref }) => ({
        count: ref('excluded.count'),
        amount: ref('excluded.amount'),
      })),
    )
    .execute();
}

/** Counts one hold that has ended (`by` -1) or stands again (1), for its sender, for its client where it has one, and among those that last long. */
export async function changeOpenHolds(
  transaction: Transaction<Database>,
  hold: {
    readonly tankId: number;
    readonly sender: string;
    readonly client: string | null;
    readonly amount: bigint;
    readonly lastsLong: boolean;
  },
  by: 1 | -1,
): Promise<void> {
  const those = [...countedFor(hold), ...(hold.lastsLong ? [lastingLongAt(hold.tankId)] : [])];
  const book = await readOpenHolds(transaction, those);
  for (const whose of those) addOpenHold(book, { tankId: hold.tankId, whose }, by, BigInt(by) * hold.amount);
  await writeOpenHolds(transaction, book);
}
