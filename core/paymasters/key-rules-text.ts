import { z } from 'zod';
import { type ApiKeyRules, ApiKeyRulesSchema } from '../domain/keys/api-key-rules.ts';
import { invalidField } from '../domain/result/invalid-field.ts';
import { accept, type Result } from '../domain/result/result.ts';
import { readJsonColumn } from '../store/read-json-column.ts';

/** What someone wants to bind a key to, in the form that is kept, or the first field that is wrong. */
export function checkKeyRules(rules: ApiKeyRules): Result<ApiKeyRules> {
  const written = z.safeEncode(ApiKeyRulesSchema, rules);
  if (written.success) return accept(z.decode(ApiKeyRulesSchema, written.data));
  const issue = written.error.issues[0];
  return invalidField(z.core.toDotPath(['rules', ...(issue?.path ?? [])]), issue?.message ?? 'must be rules of a key');
}

/** The text that the store keeps of a key's rules. */
export function keyRulesText(rules: ApiKeyRules): string {
  return JSON.stringify(z.encode(ApiKeyRulesSchema, rules));
}

/**
 * Reads what {@link keyRulesText} wrote. Throws a `RowError` for anything else: what is not known to be allowed is not.
 */
export function parseKeyRules(text: string, paymasterId: string): ApiKeyRules {
  return readJsonColumn(ApiKeyRulesSchema, text, { table: 'api_key_settings', id: paymasterId });
}
