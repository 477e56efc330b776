import type { Kysely } from 'kysely';
import type { Owned } from '../../domain/core.ts';
import type { ApiKeyRecord } from '../../domain/paymaster.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId } from '../../store/own-paymaster.ts';
import { ownKeyName, ownKeyNumber } from './own-key-number.ts';

/** A stored apiKey, and which of its paymaster's keys it is or was. */
export type StoredApiKey = { readonly keyNumber: number; readonly record: ApiKeyRecord };

/** The apiKeys that are accepted for a paymaster at `now` (Unix seconds): its own first, of each key the newest first. */
export async function readApiKeys(db: Kysely<Database>, owned: Owned, now: number): Promise<readonly StoredApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .leftJoin('api_key_settings', (join) =>
      join
        .onRef('api_key_settings.paymaster_id', '=', 'api_keys.paymaster_id')
        .onRef('api_key_settings.key_number', '=', 'api_keys.key_number'),
    )
    .select(['api_keys.api_key_id', 'api_keys.key_number', 'api_keys.created_at', 'api_keys.expires_at'])
    .select(['api_keys.last_used_at', 'api_key_settings.name', 'api_key_settings.disabled'])
    .where('api_keys.paymaster_id', '=', ownPaymasterId(db, owned))
    .where(({ eb, or }) => or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', now)]))
    .orderBy('api_keys.key_number')
    .orderBy('api_keys.api_key_number', 'desc')
    .execute();
  return rows.map(({ key_number: keyNumber, ...row }) => ({
    keyNumber,
    record: {
      apiKeyId: row.api_key_id,
      name: row.name ?? ownKeyName,
      isOwn: keyNumber === ownKeyNumber,
      disabled: row.disabled === 1,
      createdAt: row.created_at,
      ...omitAbsent({ expiresAt: row.expires_at ?? undefined, lastUsedAt: row.last_used_at ?? undefined }),
    },
  }));
}
