import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';

/** For each of these paymasters that had counts of tickets pruned, the latest end of these tickets in Unix seconds. */
export async function readForgottenTickets(
  db: Kysely<Database>,
  paymasterIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const [rows] = await runTogether(db, forgottenTicketsOf([...paymasterIds]));
  return toForgottenTickets(rows);
}

/** The rows of {@link readForgottenTickets}. */
export const forgottenTicketsOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('forgotten_tickets').select(['paymaster_id', 'ended_until']).where('paymaster_id', 'in', texts()),
);

export function toForgottenTickets(rows: readonly RowOf<typeof forgottenTicketsOf>[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ paymaster_id, ended_until }) => [paymaster_id, ended_until]));
}
