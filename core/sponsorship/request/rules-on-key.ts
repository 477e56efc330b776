import type { AskingKey } from '../../management/paymasters/sponsor-profile.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';

/** Whether an apiKey may be asked with, up to the first refusal. Of a key of which nothing is set there is nothing to say. */
export function rulesOnKey(key: AskingKey): readonly Ruling[] {
  if (!key.isSet) return [];
  const seen = { rule: 'api-key', checked: `the apiKey "${key.name}"` } as const;
  if (!key.disabled) return [seen];
  const message = 'The apiKey in the URL is disabled by its owner.';
  return [{ ...seen, refusal: { reason: 'KEY_DISABLED', message, details: { key: key.name } } }];
}
