import type { Transaction } from 'kysely';
import type { Secret } from '../../base/values/secret.ts';
import type { CoreConfig } from '../../domain/core-config.ts';
import type { Database } from '../database.ts';
import { createKeyedDigest } from '../keyed-digest.ts';
import type { Store } from '../store.ts';
import { StoreError } from '../store-error.ts';

/** The newest key, which seals, and earlier ones, which only open. */
export type MasterKeys = Pick<CoreConfig, 'masterKey' | 'previousMasterKeys'>;

/** Identifies a master key without revealing anything about it. */
export function digestMasterKey(masterKey: Secret<Uint8Array>): string {
  return createKeyedDigest(masterKey, 'master-key-check')('tollfree');
}

/**
 * Binds a new database to its master key. Later rejects another one with a `StoreError`, instead of failing to find keys
 * digested or sealed under the first. For operator commands, which do not switch to a new key before the service does.
 */
export async function checkMasterKey(store: Store, keys: MasterKeys): Promise<void> {
  const newest = digestMasterKey(keys.masterKey);
  await store.transaction(async (trx) => {
    const known = await knownMasterKeys(trx, keys);
    if (known.includes(newest)) return;
    if (known.length === 0) await trx.insertInto('master_keys').values({ digest: newest }).execute();
    else
      throw new StoreError(
        'The service has not started with this master key yet. Start it with this configuration first.',
      );
  });
}

/**
 * The digests of all master keys that may have sealed data.
 *
 * @throws StoreError when one of them was not given.
 */
export async function knownMasterKeys(trx: Transaction<Database>, keys: MasterKeys): Promise<readonly string[]> {
  const given = new Set([keys.masterKey, ...(keys.previousMasterKeys ?? [])].map(digestMasterKey));
  const rows = await trx.selectFrom('master_keys').select('digest').execute();
  const known = rows.map(({ digest }) => digest);
  const missing = known.filter((digest) => !given.has(digest));
  if (missing.length === 0) return known;
  throw new StoreError(
    missing.length === known.length
      ? 'The master key does not match this database. Set the key the database was written with.'
      : 'The database still holds values sealed with another master key. Add its file to previousMasterKeyFiles.',
  );
}
