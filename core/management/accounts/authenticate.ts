import type { Caller, Core } from '../../domain/core.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import { readRetiredDigests } from '../../store/master-keys/retired-digest-keys.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { isWellFormedAuthToken } from './auth-token.ts';

/**
 * `Core.authenticate`. An authToken that is malformed, unknown, expired or revoked gets one answer for the same work;
 * so does an apiKey that is malformed, unknown or another account's. Both are looked up by keyed digest only, so the
 * time of the lookup tells nothing about the secret; by all digests at once that a master key has made of them.
 */
export function createAuthenticate(parts: {
  store: Store;
  clock: Clock;
  digestAuthToken: (authToken: string) => string;
  digestsOfApiKey: (apiKey: string) => readonly string[];
  /** Opens the keys of the digests that master keys made which are gone. */
  box: SecretBox;
}): Core['authenticate'] {
  const { store, clock, digestAuthToken, digestsOfApiKey, box } = parts;
  let retired: Promise<readonly ((authToken: string) => string)[]> | undefined;

  /** They are read once: another one only comes with another start. */
  function readRetired(): NonNullable<typeof retired> {
    retired ??= readRetiredDigests(store, box).catch((cause: unknown) => {
      retired = undefined;
      throw cause;
    });
    return retired;
  }

  async function findAccountId(authToken: string): Promise<string | undefined> {
    const wellFormed = isWellFormedAuthToken(authToken);
    const digests = [digestAuthToken, ...(await readRetired())].map((digest) => digest(authToken));
    const row = await store.db
      .selectFrom('auth_tokens')
      .select(['account_id', 'expires_at', 'revoked_at'])
      .where('digest', 'in', digests)
      .executeTakeFirst();
    if (!wellFormed || row === undefined || row.revoked_at !== null) return undefined;
    if (row.expires_at !== null && row.expires_at <= unixSeconds(clock)) return undefined;
    return row.account_id;
  }

  return async ({ authToken, apiKey }) => {
    const accountId = await findAccountId(authToken);
    if (accountId === undefined) {
      const message =
        apiKey === undefined
          ? 'Auth token is required in the headers'
          : 'Auth token and API key is required in the headers';
      return refuse({ reason: 'UNAUTHENTICATED', message });
    }
    if (apiKey === undefined) return accept<Caller>({ accountId });
    const paymaster = await store.db
      .selectFrom('paymasters')
      .select('paymaster_id')
      .where('api_key_digest', 'in', digestsOfApiKey(apiKey))
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (paymaster === undefined) {
      return refuse({
        reason: 'API_KEY_NOT_ACCEPTED',
        message: 'Auth token and API key is required in the headers',
      });
    }
    return accept<Caller>({ accountId, paymasterId: paymaster.paymaster_id });
  };
}
