import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type ApiKeyRules, ApiKeyRulesSchema, noKeyRules } from '../domain/api-key-rules.ts';
import type { ApiKeySettings } from '../domain/paymaster.ts';
import { accept, invalidField, type Result } from '../domain/result/result.ts';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import type { AskingKey } from './sponsor-profile.ts';

/** The number of a paymaster's original apiKey, which the API lists. */
export const ownKeyNumber = 0;

/** The original key's name until its owner changes it. */
const ownKeyName = 'default';

/** A paymaster's original key with default settings. */
export const unsetKey: ApiKeySettings = { name: ownKeyName, disabled: false, rules: noKeyRules };

/** The settings of a paymaster's keys, by key number. */
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

/** The rules for a key in stored form, or the first invalid field. */
export function checkKeyRules(rules: ApiKeyRules): Result<ApiKeyRules> {
  const written = z.safeEncode(ApiKeyRulesSchema, rules);
  if (written.success) return accept(z.decode(ApiKeyRulesSchema, written.data));
  const issue = written.error.issues[0];
  return invalidField(z.core.toDotPath(['rules', ...(issue?.path ?? [])]), issue?.message ?? 'must be rules of a key');
}

export function keyRulesText(rules: ApiKeyRules): string {
  return JSON.stringify(z.encode(ApiKeyRulesSchema, rules));
}

/**
 * Parses the result of {@link keyRulesText}. Throws a `RowError` for anything else: what is not known to be allowed is
 * refused.
 */
function parseKeyRules(text: string, paymasterId: string): ApiKeyRules {
  return readJsonColumn(ApiKeyRulesSchema, text, { table: 'api_key_settings', id: paymasterId });
}

/** A paymaster's key by the id of one of its apiKeys; undefined if there is none. */
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
