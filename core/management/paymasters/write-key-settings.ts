import type { Transaction } from 'kysely';
import type { ApiKeySettings } from '../../domain/paymaster.ts';
import { keyRulesText } from '../../paymasters/key-rules-text.ts';
import type { Database } from '../../store/database.ts';

/** Sets all that can be set of a key. */
export async function writeKeySettings(
  trx: Transaction<Database>,
  key: { readonly paymasterId: string; readonly keyNumber: number },
  { name, disabled, rules }: ApiKeySettings,
): Promise<void> {
  const columns = { name, disabled: disabled ? 1 : 0, rules: keyRulesText(rules) } as const;
  await trx
    .insertInto('api_key_settings')
    .values({ paymaster_id: key.paymasterId, key_number: key.keyNumber, ...columns })
    .onConflict((conflict) => conflict.columns(['paymaster_id', 'key_number']).doUpdateSet(columns))
    .execute();
}
