import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely } from 'kysely';
import { type Actor, type Scope, scopes } from '../../domain/access/actor.ts';
import type { Database } from '../../store/database.ts';
import { authTokenRows } from './find-auth-token.ts';
import { sessionRows } from './find-session.ts';
import { rightsOf, type Shown } from './rights-of.ts';
import { signInLimits } from './sign-in-limits.ts';

/**
 * A caller's current rights. `endsBy` in Unix seconds: the expiry of the authToken that is used or began the session.
 * `member`: the wallet that signed in, or that created the authToken.
 */
export type CurrentRights = { readonly scopes: readonly Scope[]; readonly endsBy?: number; readonly member?: string };

/**
 * A caller's rights at `now` (Unix seconds), read from the store again: the credential may have ended or lost scopes since
 * it was accepted. Undefined if it is no longer valid. The operator, and programs with direct access to the core, may do
 * everything.
 */
export async function readCurrentRights(
  db: Kysely<Database>,
  actor: Actor | undefined,
  now: number,
): Promise<CurrentRights | undefined> {
  switch (actor?.kind) {
    case 'auth-token':
      return ofAuthToken(db, actor, now);
    case 'session':
      return ofSession(db, actor, now);
    case 'visitor':
      return undefined;
    default:
      return { scopes };
  }
}

async function ofAuthToken(db: Kysely<Database>, actor: Actor, now: number): Promise<CurrentRights | undefined> {
  const row = await authTokenRows(db)
    .where('auth_token_id', '=', actor.credentialId ?? '')
    .where('auth_tokens.account_id', '=', actor.accountId ?? '')
    .where('revoked_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  return row && toCurrentRights(row);
}

async function ofSession(db: Kysely<Database>, actor: Actor, now: number): Promise<CurrentRights | undefined> {
  const row = await sessionRows(db)
    .where('session_id', '=', actor.credentialId ?? '')
    .where('sessions.account_id', '=', actor.accountId ?? '')
    .where('sessions.expires_at', '>', now)
    .where('last_seen_at', '>', now - signInLimits.maxIdle)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
  return row && toCurrentRights({ ...row, expires_at: row.token_expires_at });
}

function toCurrentRights(row: Shown & { readonly expires_at: number | null }): CurrentRights | undefined {
  const scopes = rightsOf(row);
  return scopes && { scopes, ...omitAbsent({ endsBy: row.expires_at ?? undefined, member: row.member ?? undefined }) };
}
