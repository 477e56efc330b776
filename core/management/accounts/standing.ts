import type { Kysely } from 'kysely';
import type { Actor } from '../../domain/access/actor.ts';
import { type Scope, scopes } from '../../domain/access/scope.ts';
import type { Database } from '../../store/database.ts';
import { readScopeText } from './scope-text.ts';
import { signInLimits } from './sign-in-limits.ts';

/** What somebody may now. `endsBy` in Unix seconds: when the authToken ends that he shows or has signed in with. */
export type Standing = { readonly scopes: readonly Scope[]; readonly endsBy?: number };

/**
 * What somebody may at `now` (Unix seconds), asked of the store again: what he has shown may have ended, or mean less, since it
 * was accepted. Nothing where it is no longer accepted. The operator, and whoever is let in to the core itself, may everything.
 */
export async function readStanding(
  db: Kysely<Database>,
  actor: Actor | undefined,
  now: number,
): Promise<Standing | undefined> {
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

async function ofAuthToken(db: Kysely<Database>, actor: Actor, now: number): Promise<Standing | undefined> {
  const row = await db
    .selectFrom('auth_tokens')
    .innerJoin('accounts', 'accounts.account_id', 'auth_tokens.account_id')
    .select(['scopes', 'expires_at'])
    .where('auth_token_id', '=', actor.credentialId ?? '')
    .where('auth_tokens.account_id', '=', actor.accountId ?? '')
    .where('revoked_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  return row && toStanding(row);
}

async function ofSession(db: Kysely<Database>, actor: Actor, now: number): Promise<Standing | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.account_id', 'sessions.account_id')
    .leftJoin('auth_tokens', 'auth_tokens.auth_token_id', 'sessions.auth_token_id')
    .select(['auth_tokens.scopes', 'auth_tokens.expires_at'])
    .where('session_id', '=', actor.credentialId ?? '')
    .where('sessions.account_id', '=', actor.accountId ?? '')
    .where('sessions.expires_at', '>', now)
    .where('last_seen_at', '>', now - signInLimits.maxIdle)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return row.scopes === null ? { scopes } : toStanding({ scopes: row.scopes, expires_at: row.expires_at });
}

function toStanding(row: { readonly scopes: string; readonly expires_at: number | null }): Standing {
  const standing = { scopes: readScopeText(row.scopes) };
  return row.expires_at === null ? standing : { ...standing, endsBy: row.expires_at };
}
