import { randomUUID } from 'node:crypto';
import { maxAuthTokens } from '@tollfree/contract/limits';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { AuthTokenRecord } from '../../domain/account.ts';
import type { Core } from '../../domain/core.ts';
import { checkName } from '../../domain/result/check-name.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { generateAuthToken } from './auth-token.ts';
import { signInLimits } from './sign-in-limits.ts';

type AuthTokenRow = Selectable<Database['auth_tokens']>;

const tooMany = refuse({
  reason: 'TOO_MANY_AUTH_TOKENS',
  message: `An account can have at most ${maxAuthTokens} auth tokens`,
});
const accountNotFound = refuse({ reason: 'ACCOUNT_NOT_FOUND', message: 'Account not found' });

/** The authToken operations of `Core`. `digest` is the keyed digest under which tokens are stored. */
export function manageAuthTokens(parts: {
  store: Store;
  clock: Clock;
  digest: (authToken: string) => string;
}): Pick<Core, 'issueAuthToken' | 'listAuthTokens' | 'revokeAuthToken'> {
  const { store, clock, digest } = parts;
  return {
    async issueAuthToken(input) {
      const name = checkName(input.name);
      if (!name.ok) return name;
      const createdAt = unixSeconds(clock);
      if (input.expiresAt !== undefined && !(Number.isSafeInteger(input.expiresAt) && input.expiresAt > createdAt)) {
        return invalidField('expiresAt', 'must be a time in the future');
      }
      const authToken = generateAuthToken();
      const row: AuthTokenRow = {
        auth_token_id: randomUUID(),
        account_id: input.accountId,
        name: name.value,
        digest: digest(authToken),
        created_at: createdAt,
        expires_at: input.expiresAt ?? null,
        revoked_at: null,
        last_used_at: null,
      };
      return store.transaction(async (trx) => {
        if (!(await accountExists(trx, input.accountId))) return accountNotFound;
        if ((await countAccepted(trx, input.accountId, createdAt)) >= maxAuthTokens) return tooMany;
        await forgetOldest(trx, input.accountId, createdAt);
        await trx.insertInto('auth_tokens').values(row).execute();
        return accept({ authToken, record: toRecord(row) });
      });
    },

    async listAuthTokens({ accountId }) {
      if (!(await accountExists(store.db, accountId))) return accountNotFound;
      const rows = await store.db
        .selectFrom('auth_tokens')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('auth_token_id')
        .execute();
      return accept(rows.map(toRecord));
    },

    async revokeAuthToken({ accountId, authTokenId }) {
      const revokedAt = unixSeconds(clock);
      return store.transaction(async (trx) => {
        const row = await trx
          .updateTable('auth_tokens')
          // Revoking again keeps the time of the first revocation.
          .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(revokedAt)) }))
          .where('account_id', '=', accountId)
          .where('auth_token_id', '=', authTokenId)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return refuse({ reason: 'AUTH_TOKEN_NOT_FOUND', message: 'Auth token not found' });
        await trx.deleteFrom('sessions').where('auth_token_id', '=', authTokenId).execute();
        return accept(toRecord(row));
      });
    },
  };
}

/** AuthTokens that are accepted at `now`. */
async function countAccepted(trx: Transaction<Database>, accountId: string, now: number): Promise<number> {
  const { count } = await trx
    .selectFrom('auth_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes the oldest of those that have ended, so that one who makes and revokes them does not fill the database. */
async function forgetOldest(trx: Transaction<Database>, accountId: string, now: number): Promise<void> {
  await trx
    .deleteFrom('auth_tokens')
    .where('auth_token_id', 'in', (query) =>
      query
        .selectFrom('auth_tokens')
        .select('auth_token_id')
        .where('account_id', '=', accountId)
        .where(({ eb, or }) => or([eb('revoked_at', 'is not', null), eb('expires_at', '<=', now)]))
        .orderBy('created_at', 'desc')
        .orderBy('auth_token_id')
        .limit(Number.MAX_SAFE_INTEGER)
        .offset(signInLimits.maxEndedAuthTokens),
    )
    .execute();
}

async function accountExists(db: Kysely<Database>, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

function toRecord(row: AuthTokenRow): AuthTokenRecord {
  return {
    authTokenId: row.auth_token_id,
    name: row.name,
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
  };
}
