import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei-text.ts';
import type { HoldRequest } from './hold-request.ts';

/** What a sender has open at a tank: how many live holds, and their sum in wei. */
export type SenderHolds = { count: number; amount: bigint };

/** One text per sender at a tank, for maps. */
export function senderIdentity(tankId: number, sender: string): string {
  return `${tankId}:${sender}`;
}

/** Reads what the senders of these requests have open, as far as their requests are capped. */
export async function readSenderHolds(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
): Promise<Map<string, SenderHolds>> {
  const bySender = new Map<string, SenderHolds>();
  const senders = new Set(requests.filter(({ caps }) => caps !== undefined).map(({ sender }) => sender));
  for (const sender of senders) {
    // The slot begins with the sender; its index has live holds only, and wants to be asked with that word itself.
    const rows = await transaction
      .selectFrom('holds')
      .select(['tank_id', 'amount'])
      .where('state', '=', sql.lit('live'))
      .where('slot', '>=', `${sender}:`)
      .where('slot', '<', `${sender};`)
      .execute();
    for (const { tank_id, amount } of rows)
      addSenderHold(bySender, senderIdentity(tank_id, sender), 1, fromWeiText(amount));
  }
  return bySender;
}

/** Counts a hold that is added, or what is added to one. */
export function addSenderHold(
  bySender: Map<string, SenderHolds>,
  identity: string,
  count: number,
  amount: bigint,
): void {
  const before = bySender.get(identity) ?? { count: 0, amount: 0n };
  bySender.set(identity, { count: before.count + count, amount: before.amount + amount });
}
