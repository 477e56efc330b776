import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';
import { ownKeyNumber } from './key-settings.ts';

/** Paymasters with the newest of their own apiKeys, sealed. */
export function selectPaymasters(db: Kysely<Database>) {
  return db
    .selectFrom('paymasters')
    .innerJoin('api_keys', (join) =>
      join
        .onRef('api_keys.paymaster_id', '=', 'paymasters.paymaster_id')
        .on('api_keys.key_number', '=', ownKeyNumber)
        .on('api_keys.expires_at', 'is', null),
    )
    .selectAll('paymasters')
    .select('api_keys.sealed as api_key_sealed');
}
