import type { Core } from '../../domain/core.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { SessionRecord } from '../../domain/sign-in.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { Store } from '../../store/store.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';

const sessionNotFound = refuse({ reason: 'SESSION_NOT_FOUND', message: 'Session not found' });

/** The operations of `Core` on the sessions of an account that have not ended. */
export function manageOpenSessions(parts: {
  store: Store;
  clock: Clock;
  digestSession: (session: string) => string;
}): Pick<Core, 'listSessions' | 'revokeSession' | 'revokeAllSessions'> {
  const { store, clock, digestSession } = parts;
  return {
    async listSessions({ accountId, session }) {
      const now = unixSeconds(clock);
      const rows = await store.db
        .selectFrom('sessions')
        .leftJoin('auth_tokens', 'auth_tokens.auth_token_id', 'sessions.auth_token_id')
        .select(({ ref }) => [
          'session_id',
          'sessions.digest',
          'sessions.created_at',
          'last_seen_at',
          'sessions.expires_at',
          'sessions.auth_token_id',
          ref('auth_tokens.name').as('auth_token_name'),
        ])
        .where('sessions.account_id', '=', accountId)
        .where('sessions.expires_at', '>', now)
        .where('last_seen_at', '>', now - signInLimits.maxIdle)
        .orderBy('sessions.created_at', 'desc')
        .orderBy('session_id')
        .execute();
      const current = session === undefined ? undefined : digestSession(session);
      return accept(
        rows.map(
          (row): SessionRecord => ({
            sessionId: row.session_id,
            createdAt: row.created_at,
            lastUsedAt: row.last_seen_at,
            expiresAt: row.expires_at,
            isCurrent: row.digest === current,
            ...omitAbsent({
              authTokenId: row.auth_token_id ?? undefined,
              authTokenName: row.auth_token_name ?? undefined,
            }),
          }),
        ),
      );
    },

    async revokeSession({ accountId, sessionId }) {
      const row = await store.transaction((trx) =>
        trx
          .deleteFrom('sessions')
          .where('account_id', '=', accountId)
          .where('session_id', '=', sessionId)
          .returning('account_id')
          .executeTakeFirst(),
      );
      return row === undefined ? sessionNotFound : accept({ accountId });
    },

    async revokeAllSessions({ accountId }) {
      await store.transaction((trx) => trx.deleteFrom('sessions').where('account_id', '=', accountId).execute());
      return accept({ accountId });
    },
  };
}
