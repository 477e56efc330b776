import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { generateSessionToken } from '../accounts/session-token.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';

/** A session as it begins. Times are Unix seconds. */
type Beginning = {
  readonly accountId: string;
  /** What it ends with: the authToken, or else the membership of the wallet. */
  readonly authTokenId?: string;
  readonly wallet?: string;
  /** It ends then at the latest. */
  readonly endsBy?: number | undefined;
  readonly now: number;
};

/**
 * Begins a session under a new secret, whatever the browser had before, and ends the oldest ones of the same
 * authToken or wallet where there are too many: no one ends those of others by signing in. Gives the secret, the id and
 * when it ends.
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
