import { randomBytes, randomInt, randomUUID } from 'node:crypto';
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

const form = /^[A-Za-z0-9_-]{9}\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A new apiKey, `<9 characters of base64url>.<uuid v4>`: 53.9 + 122 random bits. It begins with a letter or a digit, since
 * command lines read a leading `-` as a flag.
 */
export function generateApiKey(): string {
  const first = lettersAndDigits[randomInt(lettersAndDigits.length)];
  return `${first}${randomBytes(6).toString('base64url')}.${randomUUID()}`;
}

/** Whether the text has the form of an apiKey; it need not exist. */
export function isWellFormedApiKey(text: string): boolean {
  return form.test(text);
}

/** The paymaster, the key number and the id of an apiKey, and its expiry in Unix seconds; null for the newest one. */
export type FoundApiKey = {
  readonly paymasterId: string;
  readonly apiKeyId: string;
  readonly keyNumber: number;
  readonly expiresAt: number | null;
};

/** The apiKey with one of these keyed digests (one per master key), if it is accepted at `now`. */
export async function findApiKey(
  db: Kysely<Database>,
  { digests, now }: { readonly digests: readonly string[]; readonly now: number },
): Promise<FoundApiKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(['paymaster_id', 'api_key_id', 'key_number', 'expires_at'])
    .where('digest', 'in', digests)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { paymaster_id: paymasterId, api_key_id: apiKeyId, key_number: keyNumber, expires_at: expiresAt } = row;
  return { paymasterId, apiKeyId, keyNumber, expiresAt };
}
