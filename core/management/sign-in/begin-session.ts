import { randomUUID } from 'node:crypto';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { getAddress } from 'viem';
import type { Role } from '../../domain/access/actor.ts';
import type { Identity } from '../../domain/sign-in.ts';
import type { Database } from '../../store/database.ts';
import { generateSessionToken } from '../accounts/find-session.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';

/** A new session. Times are Unix seconds. */
type Beginning = {
  readonly accountId: string;
  /** What it ends with: the authToken, or else the wallet's membership. */
  readonly authTokenId?: string;
  readonly wallet?: string;
  /** Latest expiry. */
  readonly endsBy?: number | undefined;
  readonly now: number;
};

/**
 * Starts a session with a new secret, whatever the browser had before, and ends the oldest ones of the same authToken or
 * wallet if there are too many. Sessions of others cannot be ended by signing in. Returns the secret, the id and the expiry.
 */
export async function beginSession(
  trx: Transaction<Database>,
  digestSession: (session: string) => string,
  { accountId, authTokenId, wallet, endsBy, now }: Beginning,
): Promise<{ readonly session: string; readonly sessionId: string; readonly expiresAt: number }> {
  const session = generateSessionToken();
  const sessionId = randomUUID();
  const latest = now + signInLimits.maxSessionAge;
  const expiresAt = endsBy === undefined ? latest : Math.min(latest, endsBy);
  await trx
    .deleteFrom('sessions')
    .where('session_id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('session_id')
        .where('account_id', '=', accountId)
        .where(({ eb }) =>
          authTokenId === undefined ? eb('wallet', '=', wallet ?? '') : eb('auth_token_id', '=', authTokenId),
        )
        .orderBy('created_at', 'desc')
        .orderBy('session_id')
        .limit(Number.MAX_SAFE_INTEGER)
        .offset(signInLimits.maxSessions - 1),
    )
    .execute();
  await trx
    .insertInto('sessions')
    .values({
      session_id: sessionId,
      account_id: accountId,
      auth_token_id: authTokenId ?? null,
      wallet: wallet ?? null,
      digest: digestSession(session),
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { session, sessionId, expiresAt };
}

/** An account, as shown to a signed-in holder. */
export function toIdentity(
  account: { readonly account_id: string; readonly name: string; readonly wallet: string | null },
  rest: Pick<Identity, 'signUp' | 'scopes'> & {
    readonly authTokenId?: string | null;
    readonly expiresAt?: number | null;
    /** The wallet that signed in. */
    readonly wallet?: string | null;
    /** For a contract wallet. */
    readonly chainId?: number | null;
    readonly role?: Role | null;
  },
): Identity {
  const { account_id: accountId, name } = account;
  const wallet = rest.wallet ?? account.wallet;
  return {
    accountId,
    name,
    signUp: rest.signUp,
    scopes: rest.scopes,
    ...omitAbsent({
      wallet: wallet === null ? undefined : getAddress(wallet),
      chainId: rest.chainId ?? undefined,
      role: rest.role ?? undefined,
      authTokenId: rest.authTokenId ?? undefined,
      expiresAt: rest.expiresAt ?? undefined,
    }),
  };
}
