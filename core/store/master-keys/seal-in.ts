import type { Transaction } from 'kysely';
import type { Database } from '../database.ts';
import type { SecretBox } from '../secret-box.ts';

/**
 * Seals what the transaction writes. What a process seals with a master key that another one has replaced would be
 * sealed again by no one.
 *
 * @throws Error when another process at the database seals with another master key by now.
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

/** Whether the master key of a digest is the one that seals; any one where none is known yet. */
export async function mayKeySeal(trx: Transaction<Database>, digest: string): Promise<boolean> {
  const rows = await trx.selectFrom('master_keys').select(['digest', 'seals']).execute();
  return rows.length === 0 || rows.some((row) => row.digest === digest && row.seals === 1);
}
