import { deriveKey } from '../derive-key.ts';
import { createSecretBox } from '../secret-box.ts';
import type { Store } from '../store.ts';
import { digestMasterKey, knownMasterKeys, type MasterKeys } from './check-master-key.ts';
import { retiredKeyBinding } from './retired-digest-keys.ts';

/**
 * Begins to seal with the newest master key, once it is written down that the database needs it from now on. What the
 * ones before it have made of authTokens stays verifiable: the key of those digests alone, which tells nothing of a master
 * key, is kept under the newest.
 *
 * @returns whether something may still be sealed under another one.
 * @throws StoreError when a key that the database needs was not given.
 */
export async function adoptMasterKey(store: Store, keys: MasterKeys): Promise<boolean> {
  const { masterKey, previousMasterKeys = [] } = keys;
  const newest = digestMasterKey(masterKey);
  const box = createSecretBox(masterKey, previousMasterKeys);
  return store.transaction(async (trx) => {
    const known = await knownMasterKeys(trx, keys);
    if (!known.includes(newest)) await trx.insertInto('master_keys').values({ digest: newest }).execute();
    await trx.updateTable('master_keys').set({ seals: 0 }).where('digest', '!=', newest).execute();
    await trx.updateTable('master_keys').set({ seals: 1 }).where('digest', '=', newest).execute();
    for (const previous of previousMasterKeys) {
      const digest = digestMasterKey(previous);
      if (digest === newest || !known.includes(digest)) continue;
      const key = deriveKey(previous, 'auth-token-digest').export().toString('hex');
      await trx
        .insertInto('retired_digest_keys')
        .values({ master_key: digest, key_sealed: box.seal(key, retiredKeyBinding(digest)) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    return known.some((digest) => digest !== newest);
  });
}
