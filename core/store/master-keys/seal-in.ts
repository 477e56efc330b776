import type { Transaction } from 'kysely';
import type { Database } from '../database.ts';
import type { SecretBox } from '../secret-box.ts';

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
