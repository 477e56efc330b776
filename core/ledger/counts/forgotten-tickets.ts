import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';

/** Of each of these paymasters whose tickets' counts have been pruned, the latest end of these tickets in Unix seconds. */
export async function readForgottenTickets(
  db: Kysely<Database>,
  paymasterIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  if (paymasterIds.size === 0) return new Map();
  const rows = await db
    .selectFrom('forgotten_tickets')
    .select(['paymaster_id', 'ended_until'])
    .where('paymaster_id', 'in', dialectOf(db).texts([...paymasterIds]))
    .execute();
  return new Map(rows.map(({ paymaster_id, ended_until }) => [paymaster_id, ended_until]));
}
