import { createSecretKey } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database } from '../database.ts';
import { deriveKey, digestWith } from '../keyed-digest.ts';
import { createSecretBox, type SecretBox } from '../secret-box.ts';
import type { Store } from '../store.ts';
import { digestMasterKey, knownMasterKeys, type MasterKeys } from './check-master-key.ts';

/**
 * Starts sealing with the newest master key, after recording that the database requires it. AuthToken digests of earlier
 * keys stay verifiable: only the key of those digests, which reveals nothing about the master key, is kept, sealed under the
 * newest.
 *
 * @returns whether data may still be sealed under another key.
 * @throws StoreError when a required key was not given.
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

/** Binds a sealed digest key to its row. */
export function retiredKeyBinding(masterKeyDigest: string): string {
  return `retired_digest_keys/${masterKeyDigest}`;
}

/** The authToken digests of former master keys. */
export async function readRetiredDigests(
  { db }: Pick<Store, 'db'>,
  box: SecretBox,
): Promise<readonly ((authToken: string) => string)[]> {
  const rows = await db.selectFrom('retired_digest_keys').selectAll().execute();
  return rows.map(({ master_key: digest, key_sealed: sealed }) =>
    digestWith(createSecretKey(Buffer.from(box.open(sealed, retiredKeyBinding(digest)), 'hex'))),
  );
}

/**
 * Seals data that the transaction writes. Data sealed with a replaced master key would never be sealed again.
 *
 * @throws Error when another process at the database already seals with another master key.
 */
export async function sealIn(
  trx: Transaction<Database>,
  box: SecretBox,
  { text, boundTo }: { readonly text: string; readonly boundTo: string },
): Promise<Uint8Array> {
  if (!(await mayKeySeal(trx, box.newest()))) {
    throw new Error(
      'Another process at the database seals with a newer master key. Give this one the same master keys in the same order.',
    );
  }
  return box.seal(text, boundTo);
}

/** Whether the master key with this digest is the sealing one; any is while none is recorded. */
export async function mayKeySeal(trx: Transaction<Database>, digest: string): Promise<boolean> {
  const rows = await trx.selectFrom('master_keys').select(['digest', 'seals']).execute();
  return rows.length === 0 || rows.some((row) => row.digest === digest && row.seals === 1);
}
