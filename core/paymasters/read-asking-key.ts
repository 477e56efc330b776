import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';
import { readKeySettings, unsetKey } from './key-settings.ts';
import type { AskingKey } from './sponsor-profile.ts';

/** A paymaster's key by the id of one of its apiKeys; undefined where there is none such. */
export async function readAskingKey(
  db: Kysely<Database>,
  { paymasterId, apiKeyId }: { readonly paymasterId: string; readonly apiKeyId: string },
): Promise<AskingKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select('key_number')
    .where('paymaster_id', '=', paymasterId)
    .where('api_key_id', '=', apiKeyId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const settings = (await readKeySettings(db, paymasterId)).get(row.key_number);
  return { apiKeyId, keyNumber: row.key_number, isSet: settings !== undefined, ...(settings ?? unsetKey) };
}
