import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { generateApiKey } from '../../paymasters/key-settings.ts';
import { apiKeyBinding } from '../../paymasters/to-paymaster.ts';
import type { Database } from '../../store/database.ts';
import { sealIn } from '../../store/master-keys/adopt-master-key.ts';
import type { SecretBox } from '../../store/secret-box.ts';

/**
 * Creates the newest apiKey under a key number of a paymaster; all others there must have an expiry. `now` in Unix seconds.
 */
export async function addApiKey(
  trx: Transaction<Database>,
  { paymasterId, keyNumber }: { readonly paymasterId: string; readonly keyNumber: number },
  { box, digestApiKey, now }: { box: SecretBox; digestApiKey: (apiKey: string) => string; now: number },
) {
  const apiKey = generateApiKey();
  const row = await trx
    .insertInto('api_keys')
    .values({
      api_key_id: randomUUID(),
      paymaster_id: paymasterId,
      digest: digestApiKey(apiKey),
      sealed: await sealIn(trx, box, { text: apiKey, boundTo: apiKeyBinding(paymasterId) }),
      last_four: apiKey.slice(-4),
      created_at: now,
      expires_at: null,
      key_number: keyNumber,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { apiKey, row };
}
