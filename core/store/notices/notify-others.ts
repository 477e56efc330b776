import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import { dialectOf } from '../dialect-of.ts';
import type { Notice } from './notice.ts';

/** Tells the other processes at the database when the transaction is committed, and this one too. On a file there are none. */
export async function notifyOthers(trx: Kysely<Database>, notice: Notice): Promise<void> {
  const telling = dialectOf(trx).notify(notice);
  if (telling !== undefined) await telling.execute(trx);
}
