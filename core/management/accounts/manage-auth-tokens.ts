import { randomUUID } from 'node:crypto';
import { maxAuthTokens } from '@tollfree/contract/limits';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { getAddress } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { checkScopes, currentActor, refuseMissingScope, type Scope, scopes } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import { accept, checkName, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { AuthTokenRecord } from '../../domain/sign-in.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { type CurrentRights, readCurrentRights } from './current-rights.ts';
import { authTokenRows, generateAuthToken } from './find-auth-token.ts';
import { readScopeText, rightsOf, scopeText } from './rights-of.ts';
import { signInLimits } from './sign-in-limits.ts';

type AuthTokenRow = Selectable<Database['auth_tokens']>;

const tooMany = refuse({
  reason: 'TOO_MANY_AUTH_TOKENS',
  message: `An account can have at most ${maxAuthTokens} auth tokens`,
});
const authTokenNotFound = refuse({ reason: 'AUTH_TOKEN_NOT_FOUND', message: 'Auth token not found' });
const accountNotFound = refuse({ reason: 'ACCOUNT_NOT_FOUND', message: 'Account not found' });

/** The authToken operations of `Core`. `digest` is the keyed digest under which tokens are stored. */
export function manageAuthTokens(parts: {
  store: Store;
  clock: Clock;
  digest: (authToken: string) => string;
}): Pick<Core, 'createAuthToken' | 'listAuthTokens' | 'revokeAuthToken'> {
  const { store, clock, digest } = parts;
  return {
    async createAuthToken(input) {
      const name = checkName(input.name);
      if (!name.ok) return name;
      const createdAt = unixSeconds(clock);
      if (input.expiresAt !== undefined && !(Number.isSafeInteger(input.expiresAt) && input.expiresAt > createdAt)) {
        return invalidField('expiresAt', 'must be a time in the future');
      }
      const wanted = input.scopes === undefined ? undefined : checkScopes(input.scopes);
      if (wanted?.ok === false) return wanted;
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
        scopes: scopeText(scopes),
        made_by: null,
      };
      return store.transaction(async (trx) => {
        if (!(await accountExists(trx, input.accountId))) return accountNotFound;
        if ((await countAccepted(trx, input.accountId, createdAt)) >= maxAuthTokens) return tooMany;
        const currentRights = await readCurrentRights(trx, currentActor(), createdAt);
        const rights = grantRights(currentRights, { scopes: wanted?.value, expiresAt: input.expiresAt });
        if (!rights.ok) return rights;
        await forgetOldest(trx, input.accountId, createdAt);
        // Tokens created with an authToken belong to its creator, so that they also end with the creator's membership.
        const granted = { ...row, ...rights.value, made_by: currentRights?.member ?? null };
        await trx.insertInto('auth_tokens').values(granted).execute();
        return accept({ authToken, record: toRecord(granted, readScopeText(granted.scopes)) });
      });
    },

    async listAuthTokens({ accountId }) {
      if (!(await accountExists(store.db, accountId))) return accountNotFound;
      const rows = await authTokenRows(store.db)
        .where('auth_tokens.account_id', '=', accountId)
        .orderBy('auth_tokens.created_at')
        .orderBy('auth_token_id')
        .execute();
      return accept(rows.map((row) => toRecord(row, rightsOf(row) ?? [])));
    },

    async revokeAuthToken({ accountId, authTokenId }) {
      const revokedAt = unixSeconds(clock);
      return store.transaction(async (trx) => {
        const found = await authTokenRows(trx)
          .where('auth_tokens.account_id', '=', accountId)
          .where('auth_token_id', '=', authTokenId)
          .executeTakeFirst();
        if (found === undefined) return authTokenNotFound;
        const currentRights = await readCurrentRights(trx, currentActor(), revokedAt);
        const missing = refuseMissingScope(rightsOf(found) ?? [], currentRights?.scopes ?? []);
        if (missing !== undefined) return missing;
        const row = await trx
          .updateTable('auth_tokens')
          // Revoking again keeps the time of the first revocation.
          .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(revokedAt)) }))
          .where('account_id', '=', accountId)
          .where('auth_token_id', '=', authTokenId)
          .returningAll()
          .executeTakeFirstOrThrow();
        await trx.deleteFrom('sessions').where('auth_token_id', '=', authTokenId).execute();
        return accept(toRecord(row, rightsOf(found) ?? []));
      });
    },
  };
}

/** Scopes and expiry of a new authToken: at most those of the caller, and the same by default. */
function grantRights(
  currentRights: CurrentRights | undefined,
  wished: { readonly scopes: readonly Scope[] | undefined; readonly expiresAt: number | undefined },
): Result<Pick<AuthTokenRow, 'scopes' | 'expires_at'>> {
  const { scopes: present = [], endsBy } = currentRights ?? {};
  const granted = wished.scopes ?? present;
  const missing = refuseMissingScope(granted.length === 0 ? scopes : granted, present);
  if (missing !== undefined) return missing;
  const { expiresAt = endsBy } = wished;
  if (endsBy !== undefined && expiresAt !== undefined && expiresAt > endsBy) {
    return invalidField('expiresAt', 'must not be later than the expiry of the authToken that creates it');
  }
  return accept({ scopes: scopeText(granted), expires_at: expiresAt ?? null });
}

/** AuthTokens that are valid at `now`. */
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

/** Deletes the oldest ended ones, so that creating and revoking tokens cannot fill the database. */
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

function toRecord(row: AuthTokenRow, scopes: readonly Scope[]): AuthTokenRecord {
  return {
    authTokenId: row.auth_token_id,
    name: row.name,
    scopes,
    createdAt: row.created_at,
    ...(row.made_by === null ? {} : { madeBy: getAddress(row.made_by) }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
  };
}
