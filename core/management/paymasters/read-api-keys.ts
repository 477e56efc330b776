import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely } from 'kysely';
import type { Owned } from '../../domain/access/actor.ts';
import type { ApiKeyRecord } from '../../domain/paymaster.ts';
import { ownKeyNumber, readKeySettings, unsetKey } from '../../paymasters/key-settings.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId } from '../../store/own-paymaster.ts';

/** A stored apiKey, with the number of its key. */
export type StoredApiKey = { readonly keyNumber: number; readonly record: ApiKeyRecord };

/** The apiKeys that are accepted for a paymaster at `now` (Unix seconds): its own first, newest first within each key. */
export async function readApiKeys(db: Kysely<Database>, owned: Owned, now: number): Promise<readonly StoredApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['api_key_id', 'key_number', 'created_at', 'expires_at', 'last_used_at'])
    .where('paymaster_id', '=', ownPaymasterId(db, owned))
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('key_number')
    .orderBy('api_key_number', 'desc')
    .execute();
  const settings = rows.length === 0 ? new Map() : await readKeySettings(db, owned.paymasterId);
  return rows.map(({ key_number: keyNumber, ...row }) => ({
    keyNumber,
    record: {
      apiKeyId: row.api_key_id,
      ...(settings.get(keyNumber) ?? unsetKey),
      isOwn: keyNumber === ownKeyNumber,
      createdAt: row.created_at,
      ...omitAbsent({ expiresAt: row.expires_at ?? undefined, lastUsedAt: row.last_used_at ?? undefined }),
    },
  }));
}
