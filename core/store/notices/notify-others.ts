import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import { dialectOf } from '../dialect-of.ts';
import type { Notice } from './notice.ts';

/** Notifies all processes at the database, including this one, when the transaction commits. SQLite has no others. */
export async function notifyOthers(trx: Kysely<Database>, notice: Notice): Promise<void> {
  const telling = dialectOf(trx).notify(notice);
  if (telling !== undefined) await telling.execute(trx);
}
