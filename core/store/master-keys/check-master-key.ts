import type { Transaction } from 'kysely';
import type { Secret } from '../../base/values/secret.ts';
import type { CoreConfig } from '../../domain/core-config.ts';
import type { Database } from '../database.ts';
import { createKeyedDigest } from '../keyed-digest.ts';
import type { Store } from '../store.ts';
import { StoreError } from '../store-error.ts';

/** The newest key, which seals, and the ones before it, which still open. */
export type MasterKeys = Pick<CoreConfig, 'masterKey' | 'previousMasterKeys'>;

/** What tells master keys apart without saying anything of them. */
export function digestMasterKey(masterKey: Secret<Uint8Array>): string {
  return createKeyedDigest(masterKey, 'master-key-check')('tollfree');
}

/**
 * Ties a new database to its master key and rejects another one later with a `StoreError`, before any key that was
 * digested or sealed under the first is searched for in vain. For a program next to the service, which does not begin with
 * a new key before the service does.
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
 * The digests of all master keys that something may be sealed under.
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
