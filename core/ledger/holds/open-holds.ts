import type { Selectable, Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { deleteRows, insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

/** What one sender or client has open at a tank: how many live holds, and their sum in wei. */
export type OpenHolds = { count: number; amount: bigint };

/** By client, or sender of a client, and tank: {@link openIdentity}. */
export type OpenHoldCounts = Map<
  string,
  OpenHolds & { readonly tankId: number; readonly whose: string; changed: boolean }
>;

type SenderOfClient = { readonly sender: string; readonly client?: string | null | undefined };

/**
 * A sender, as far as one client has requested it. A signature can be requested without a key of the account, so what
 * strangers request for a sender does not count against its owner.
 */
export function senderOfClient({ sender, client }: SenderOfClient): string {
  return `${sender}:${client ?? ''}`;
}

/** What a hold counts for: its sender, as far as its client requested it, and that client if there is one. */
export function countedFor({ sender, client }: SenderOfClient): readonly string[] {
  return [senderOfClient({ sender, client }), ...(client === undefined || client === null ? [] : [client])];
}

/** The identity of a tank's long-lasting holds: they count together, no matter who requested them. */
export function lastingLongAt(tankId: number): string {
  return `lasts-long:${tankId}`;
}

/** A string for a client, or a sender of a client, at a tank, for maps. */
export function openIdentity(tankId: number, whose: string): string {
  return `${tankId}:${whose}`;
}

/** Reads what these senders and clients have open. */
async function readOpenHolds(transaction: Transaction<Database>, those: Iterable<string>): Promise<OpenHoldCounts> {
  const [rows] = await runTogether(transaction, openHoldsOf([...new Set(those)]));
  return toOpenHoldCounts(rows);
}

/** What these senders and clients have open, as it is stored. */
export const openHoldsOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('open_holds').select(['tank_id', 'whose', 'count', 'amount']).where('whose', 'in', texts()),
);

export function toOpenHoldCounts(rows: readonly Selectable<Database['open_holds']>[]): OpenHoldCounts {
  return new Map(
    rows.map(({ tank_id: tankId, whose, count, amount }) => [
      openIdentity(tankId, whose),
      { tankId, whose, count, amount: fromWeiText(amount), changed: false },
    ]),
  );
}

/** Counts a hold that is added, or an increase of one; below 0 one that has ended. The working set must include `whose`. */
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

const keepOpenHolds = insertRows(
  'open_holds',
  { whose: 'text', tank_id: 'number', count: 'number', amount: 'text' },
  { onConflict: '(whose, tank_id) DO UPDATE SET count = excluded.count, amount = excluded.amount' },
);
const forgetOpenHolds = deleteRows('open_holds', { whose: 'text', tank_id: 'number' });

/** Statements that write the changes. */
export function openHoldWrites(book: OpenHoldCounts): readonly [Statement<unknown>, Statement<unknown>] {
  const changed = [...book.values()].filter((open) => open.changed);
  const rows = changed.map(({ tankId, whose, count, amount }) => ({
    ...{ whose, tank_id: tankId, count },
    amount: toWeiText(amount),
  }));
  return [
    keepOpenHolds(rows.filter(({ count }) => count !== 0)),
    forgetOpenHolds(rows.filter(({ count }) => count === 0)),
  ];
}

/**
 * Counts one hold that has ended (`by` -1) or is live again (1), for its sender, for its client if it has one, and among
 * those that last long.
 */
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
  await runTogether(transaction, ...openHoldWrites(book));
}
