import { maxApiKeyGraceSeconds, maxApiKeys } from '@tollfree/contract/limits';
import type { Selectable, Transaction } from 'kysely';
import type { Core } from '../../domain/core.ts';
import type { ApiKeyRecord } from '../../domain/paymaster.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { addApiKey } from './add-api-key.ts';
import { changeOwnPaymaster } from './change-own-paymaster.ts';
import type { SponsorProfiles } from './sponsor-profiles.ts';

const apiKeyNotFound = refuse({ reason: 'API_KEY_NOT_FOUND', message: 'API key not found' });
const tooMany = refuse({
  reason: 'TOO_MANY_API_KEYS',
  message: `A paymaster can have at most ${maxApiKeys} apiKeys that work: end a replaced one, or replace with graceSeconds 0`,
});

/** The operations of `Core` on the apiKeys of a paymaster: the newest, and replaced ones that still work for a while. */
export function manageApiKeys(parts: {
  store: Store;
  clock: Clock;
  profiles: SponsorProfiles;
  box: SecretBox;
  digestApiKey: (apiKey: string) => string;
}): Pick<Core, 'listApiKeys' | 'rotateApiKey' | 'endApiKey'> {
  const { store, clock } = parts;
  return {
    async listApiKeys(owned) {
      if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
      const rows = await store.db
        .selectFrom('api_keys')
        .selectAll()
        .where('paymaster_id', '=', ownPaymasterId(store.db, owned))
        .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', unixSeconds(clock))]))
        .orderBy('api_key_number', 'desc')
        .execute();
      return accept(rows.map(toRecord));
    },

    async rotateApiKey({ graceSeconds, ...owned }) {
      if (!Number.isSafeInteger(graceSeconds) || graceSeconds < 0 || graceSeconds > maxApiKeyGraceSeconds) {
        return invalidField('graceSeconds', `must be a whole number from 0 to ${maxApiKeyGraceSeconds}`);
      }
      const now = unixSeconds(clock);
      return changeOwnPaymaster(parts, owned, async (trx) => {
        if (graceSeconds > 0 && (await countWorking(trx, owned.paymasterId, now)) >= maxApiKeys) return tooMany;
        await endBy(trx, owned.paymasterId, now + graceSeconds);
        await trx
          .deleteFrom('api_keys')
          .where('paymaster_id', '=', owned.paymasterId)
          .where('expires_at', '<=', now)
          .execute();
        const { apiKey, row } = await addApiKey(trx, owned.paymasterId, { ...parts, now });
        return accept({ apiKey, record: toRecord(row) });
      });
    },

    async endApiKey({ apiKeyId, ...owned }) {
      const now = unixSeconds(clock);
      return changeOwnPaymaster(parts, owned, async (trx) => {
        const row = await trx
          .selectFrom('api_keys')
          .selectAll()
          .where('paymaster_id', '=', ownPaymasterId(trx, owned))
          .where('api_key_id', '=', apiKeyId)
          .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
          .executeTakeFirst();
        if (row === undefined) return apiKeyNotFound;
        if (row.expires_at === null) {
          return invalidField('apiKeyId', 'must be of a replaced key: replace the newest one with graceSeconds 0');
        }
        await trx.deleteFrom('api_keys').where('api_key_id', '=', apiKeyId).execute();
        return accept({ ...toRecord(row), expiresAt: now });
      });
    },
  };
}

async function countWorking(trx: Transaction<Database>, paymasterId: string, now: number): Promise<number> {
  const { count } = await trx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('paymaster_id', '=', paymasterId)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lets every key of the paymaster end then, but those that end sooner. */
async function endBy(trx: Transaction<Database>, paymasterId: string, expiresAt: number): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set(({ eb }) => ({
      expires_at: eb.case().when('created_at', '>', expiresAt).then(eb.ref('created_at')).else(expiresAt).end(),
    }))
    .where('paymaster_id', '=', paymasterId)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', expiresAt)]))
    .execute();
}

function toRecord({ api_key_id, created_at, expires_at }: Selectable<Database['api_keys']>): ApiKeyRecord {
  return {
    apiKeyId: api_key_id,
    createdAt: created_at,
    ...(expires_at === null ? {} : { expiresAt: expires_at }),
  };
}
