import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { getAddress } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { currentActor, refuseMissingScope } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { SessionRecord } from '../../domain/sign-in.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { readCurrentRights } from '../accounts/current-rights.ts';
import { sessionRows } from '../accounts/find-session.ts';
import { rightsOf } from '../accounts/rights-of.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';
import { isOfWallet } from '../membership.ts';

const sessionNotFound = refuse({ reason: 'SESSION_NOT_FOUND', message: 'Session not found' });

/** The operations of `Core` on an account's active sessions. */
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
          'sessions.wallet',
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
              wallet: row.wallet === null ? undefined : getAddress(row.wallet),
            }),
          }),
        ),
      );
    },

    async revokeSession({ accountId, sessionId }) {
      const now = unixSeconds(clock);
      return store.transaction(async (trx) => {
        const open = (await readRights(trx, accountId)).find((session) => session.sessionId === sessionId);
        if (open === undefined) return sessionNotFound;
        const currentRights = await readCurrentRights(trx, currentActor(), now);
        if (currentRights?.member === undefined || currentRights.member !== open.member) {
          const missing = refuseMissingScope(open.scopes, currentRights?.scopes ?? []);
          if (missing !== undefined) return missing;
        }
        await trx.deleteFrom('sessions').where('session_id', '=', sessionId).execute();
        return accept({ accountId });
      });
    },

    async revokeAllSessions({ accountId }) {
      const now = unixSeconds(clock);
      return store.transaction(async (trx) => {
        const actor = currentActor();
        const { scopes: present = [], member } = (await readCurrentRights(trx, actor, now)) ?? {};
        const missing = refuseMissingScope(['manage'], present);
        // Even a viewer may sign themselves out; a program's credential may not.
        if (missing !== undefined && !isOfWallet(actor, member)) return missing;
        const ended = (await readRights(trx, accountId)).filter(
          (open) =>
            (member !== undefined && open.member === member) ||
            (missing === undefined && !refuseMissingScope(open.scopes, present)),
        );
        const ids = ended.map(({ sessionId }) => sessionId);
        if (ids.length > 0) await trx.deleteFrom('sessions').where('session_id', 'in', ids).execute();
        return accept({ accountId });
      });
    },
  };
}

/** The scopes of each session of an account; none for an invalid one. */
async function readRights(trx: Transaction<Database>, accountId: string) {
  const rows = await sessionRows(trx).where('sessions.account_id', '=', accountId).execute();
  return rows.map((row) => ({ sessionId: row.session_id, member: row.member, scopes: rightsOf(row) ?? [] }));
}
