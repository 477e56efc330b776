import type { Kysely } from 'kysely';
import type { Database } from '../../../store/database.ts';
import { factsOf, type Objects, toObjects } from '../facts.ts';

/** An account, as shown to the operator. */
export async function snapshotAccount(db: Kysely<Database>, accountId: string | undefined): Promise<Objects> {
  if (accountId === undefined) return {};
  const rows = await db.selectFrom('accounts').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`account ${row.account_id}`, factsOf(row, 'signed_up_by')]);
}

/** All members of an account. */
export async function snapshotMembers(db: Kysely<Database>, accountId: string | undefined): Promise<Objects> {
  if (accountId === undefined) return {};
  const rows = await db.selectFrom('account_members').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`member ${row.wallet}`, factsOf(row)]);
}

/** All budgets of an account. */
export async function snapshotBudgets(db: Kysely<Database>, accountId: string): Promise<Objects> {
  const rows = await db.selectFrom('budgets').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`budget ${row.budget_id}`, factsOf(row)]);
}

/** Everything that determines who may do what in an account. */
export async function snapshotAccess(db: Kysely<Database>, accountId: string): Promise<Objects> {
  return {
    ...(await snapshotAccount(db, accountId)),
    ...(await snapshotMembers(db, accountId)),
    ...(await snapshotAuthTokens(db, accountId)),
    ...(await snapshotSessions(db, accountId)),
  };
}

/** All authTokens of an account that are still known. */
export async function snapshotAuthTokens(db: Kysely<Database>, accountId: string): Promise<Objects> {
  const rows = await db.selectFrom('auth_tokens').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`authToken ${row.auth_token_id}`, factsOf(row, 'digest', 'last_used_at')]);
}

/** All sessions of an account. */
export async function snapshotSessions(db: Kysely<Database>, accountId: string): Promise<Objects> {
  const rows = await db.selectFrom('sessions').selectAll().where('account_id', '=', accountId).execute();
  return toObjects(rows, (row) => [`session ${row.session_id}`, factsOf(row, 'digest', 'last_seen_at')]);
}

/** A new session, and its account if that was created with it. */
export async function snapshotNewSession(db: Kysely<Database>, sessionId: string | undefined): Promise<Objects> {
  if (sessionId === undefined) return {};
  const rows = await db.selectFrom('sessions').selectAll().where('session_id', '=', sessionId).execute();
  const accounts = await db
    .selectFrom('accounts')
    .innerJoin('sessions', 'sessions.account_id', 'accounts.account_id')
    .selectAll('accounts')
    .where('session_id', '=', sessionId)
    .where('signed_up', '=', 1)
    .whereRef('accounts.created_at', '=', 'sessions.created_at')
    .execute();
  return {
    ...toObjects(accounts, (row) => [`account ${row.account_id}`, factsOf(row, 'signed_up_by')]),
    ...toObjects(rows, (row) => [`session ${row.session_id}`, factsOf(row, 'digest', 'last_seen_at')]),
  };
}
