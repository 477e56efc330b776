import { createSecretKey } from 'node:crypto';
import { digestWith } from '../keyed-digest.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Store } from '../store.ts';

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
