import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Address, getAddress } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Role, Scope } from '../../domain/access/actor.ts';
import type { NoteUse } from '../../paymasters/key-rates.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { rightsOf } from './rights-of.ts';
import { signInLimits } from './sign-in-limits.ts';

/** A session that has not ended. `expiresAt` in Unix seconds. */
export type FoundSession = {
  readonly sessionId: string;
  readonly accountId: string;
  readonly authTokenId: string | null;
  /** The wallet that signed in for it, checksummed; null if it began with an authToken. */
  readonly wallet: Address | null;
  /** The chain of that wallet if it is a contract. */
  readonly chainId: number | null;
  /** The role of that wallet. */
  readonly role: Role | null;
  readonly expiresAt: number;
  readonly scopes: readonly Scope[];
};

/** Finds the session with a secret, if it has not ended. */
export type FindSession = (session: string) => Promise<FoundSession | undefined>;

/** A secret is looked up only by its keyed digest, like an authToken. */
export function createFindSession(parts: {
  store: Store;
  clock: Clock;
  digestSession: (session: string) => string;
  noteUse: NoteUse;
}): FindSession {
  const { store, clock, digestSession, noteUse } = parts;
  return async (session) => {
    const now = unixSeconds(clock);
    const row = await sessionRows(store.db)
      .where('sessions.digest', '=', digestSession(session))
      .where('sessions.expires_at', '>', now)
      .where('last_seen_at', '>', now - signInLimits.maxIdle)
      .where('suspended_at', 'is', null)
      .executeTakeFirst();
    if (!isWellFormedSessionToken(session) || row === undefined) return undefined;
    const scopes = rightsOf(row);
    if (scopes === undefined) return undefined;
    noteUse({ of: 'session', id: row.session_id, at: now });
    return {
      sessionId: row.session_id,
      accountId: row.account_id,
      authTokenId: row.auth_token_id,
      wallet: row.wallet === null ? null : getAddress(row.wallet),
      chainId: row.wallet === null ? null : row.chain_id,
      role: row.wallet === null ? null : row.role,
      expiresAt: row.expires_at,
      scopes,
    };
  };
}

/**
 * Sessions, including ended ones, each with what determines its scopes: its authToken, and its member's role in the account.
 */
export function sessionRows(db: Kysely<Database>) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.account_id', 'sessions.account_id')
    .leftJoin('auth_tokens', 'auth_tokens.auth_token_id', 'sessions.auth_token_id')
    .leftJoin('account_members', (join) =>
      join
        .onRef('account_members.account_id', '=', 'sessions.account_id')
        .on(({ eb, fn, ref }) =>
          eb(ref('account_members.wallet'), '=', fn.coalesce('sessions.wallet', 'auth_tokens.made_by')),
        ),
    )
    .select(({ fn }) => [
      'session_id',
      'sessions.account_id',
      'sessions.auth_token_id',
      'sessions.expires_at',
      'sessions.wallet',
      'auth_tokens.scopes',
      'auth_tokens.expires_at as token_expires_at',
      'role',
      'account_members.chain_id',
      fn.coalesce('sessions.wallet', 'auth_tokens.made_by').as('member'),
    ]);
}

/** 256 bits in base64url. */
const form = /^tfs_[A-Za-z0-9_-]{43}$/;

/** The secret of a new session. The prefix makes it recognizable if it leaks into a log. */
export function generateSessionToken(): string {
  return `tfs_${randomBytes(32).toString('base64url')}`;
}

/** Whether the text has the form of a session's secret. */
function isWellFormedSessionToken(text: string): boolean {
  return form.test(text);
}
