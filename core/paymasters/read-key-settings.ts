import type { Kysely } from 'kysely';
import { noKeyRules } from '../domain/keys/api-key-rules.ts';
import type { ApiKeySettings } from '../domain/paymaster.ts';
import type { Database } from '../store/database.ts';
import { parseKeyRules } from './key-rules-text.ts';
import { ownKeyName } from './own-key-number.ts';

/** A paymaster's own key while nothing is set of it. */
export const unsetKey: ApiKeySettings = { name: ownKeyName, disabled: false, rules: noKeyRules };

/** What is set of a paymaster's keys, by their numbers. */
export async function readKeySettings(
  db: Kysely<Database>,
  paymasterId: string,
): Promise<ReadonlyMap<number, ApiKeySettings>> {
  const rows = await db
    .selectFrom('api_key_settings')
    .select(['key_number', 'name', 'disabled', 'rules'])
    .where('paymaster_id', '=', paymasterId)
    .execute();
  return new Map(
    rows.map(({ key_number, name, disabled, rules }) => [
      key_number,
      { name, disabled: disabled === 1, rules: parseKeyRules(rules, paymasterId) },
    ]),
  );
}
