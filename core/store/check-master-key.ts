import type { Secret } from '../domain/values/secret.ts';
import { createKeyedDigest } from './keyed-digest.ts';
import type { Store } from './store.ts';
import { StoreError } from './store-error.ts';

/**
 * Ties a new database to its master key and rejects another one later with a `StoreError`, before any key that was
 * digested or sealed under the first is searched for in vain.
 */
export async function checkMasterKey(store: Store, masterKey: Secret<Uint8Array>): Promise<void> {
  const digest = createKeyedDigest(masterKey, 'master-key-check')('tollfree');
  const known = await store.transaction(async (trx) => {
    await trx
      .insertInto('master_key_check')
      .values({ id: 1, digest })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return trx.selectFrom('master_key_check').select('digest').executeTakeFirstOrThrow();
  });
  if (known.digest !== digest) {
    throw new StoreError(
      'The master key is not the one this database was written with. Set the one it was written with.',
    );
  }
}
