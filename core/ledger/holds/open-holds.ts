import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei-text.ts';
import type { HoldRequest } from './hold-request.ts';

/** What is open at a tank of one sender or client: how many live holds, and their sum in wei. */
export type OpenHolds = { count: number; amount: bigint };

/** By client, or sender of a client, and tank: {@link openIdentity}. */
export type OpenHoldsBook = Map<string, OpenHolds>;

type SenderOfClient = { readonly sender: string; readonly client?: string | null | undefined };

/**
 * A sender, as far as one client has asked for it. Nobody needs a key of an account to ask for a signature: what strangers
 * have asked for in its name does not count against whom it belongs to.
 */
export function senderOfClient({ sender, client }: SenderOfClient): string {
  return `${sender}:${client ?? ''}`;
}

/** One text for a client, or a sender of a client, at a tank, for maps. */
export function openIdentity(tankId: number, whose: string): string {
  return `${tankId}:${whose}`;
}

/** Reads what the senders and clients of these requests have open, as far as their requests are capped. */
export async function readOpenHolds(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
): Promise<OpenHoldsBook> {
  const book: OpenHoldsBook = new Map();
  const capped = requests.filter(({ caps }) => caps !== undefined);
  for (const sender of new Set(capped.map((request) => request.sender))) {
    // The slot begins with the sender; its index has live holds only, and wants to be asked with that word itself.
    const rows = await transaction
      .selectFrom('holds')
      .select(['tank_id', 'amount', 'client'])
      .where('state', '=', sql.lit('live'))
      .where('slot', '>=', `${sender}:`)
      .where('slot', '<', `${sender};`)
      .execute();
    for (const { tank_id, amount, client } of rows) {
      addOpenHold(book, openIdentity(tank_id, senderOfClient({ sender, client })), 1, fromWeiText(amount));
    }
  }
  for (const client of new Set(capped.flatMap((request) => request.client ?? []))) {
    const rows = await transaction
      .selectFrom('holds')
      .select(['tank_id', 'amount'])
      .where('state', '=', sql.lit('live'))
      .where('client', '=', client)
      .execute();
    for (const { tank_id, amount } of rows) addOpenHold(book, openIdentity(tank_id, client), 1, fromWeiText(amount));
  }
  return book;
}

/** Counts a hold that is added, or what is added to one. */
export function addOpenHold(book: OpenHoldsBook, identity: string, count: number, amount: bigint): void {
  const before = book.get(identity) ?? { count: 0, amount: 0n };
  book.set(identity, { count: before.count + count, amount: before.amount + amount });
}
