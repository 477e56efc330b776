import type { Selectable } from 'kysely';
import { defaultPolicy } from '../../domain/policy.ts';
import { keyRulesText, unsetKey } from '../../paymasters/key-settings.ts';
import { policyText } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { type Facts, factsOf } from './facts.ts';

// The facts of objects that have a version. Reads make the version of the same facts.

type Row<Table extends keyof Database> = Selectable<Database[Table]>;

export function paymasterFacts(row: Row<'paymasters'>): Facts {
  return factsOf(row, 'paymaster_number', 'changes');
}

/** Of the ABI only its length. */
export function contractFacts({
  address,
  name,
  whitelisted_methods,
  abi_bytes,
  created_at,
}: Pick<Row<'contracts'>, 'address' | 'name' | 'whitelisted_methods' | 'abi_bytes' | 'created_at'>): Facts {
  return factsOf({ address, name, whitelisted_methods, abi_bytes, created_at });
}

export function webhookFacts(row: Row<'webhooks'>): Facts {
  return factsOf(row, 'webhook_number');
}

export function notificationFacts(row: Row<'notifications'>): Facts {
  return factsOf(row, 'notification_number');
}

/** A paymaster's policy before anyone has set one. */
export const unsetPolicyFacts: Facts = policyFacts(policyText(defaultPolicy));

type KeySettings = Pick<Row<'api_key_settings'>, 'name' | 'disabled' | 'rules'>;

export function keySettingsFacts({ name, disabled, rules }: KeySettings): Facts {
  return factsOf({ name, disabled, rules });
}

/** The settings of a paymaster's own key before anyone has changed them. */
export const unsetKeyFacts: Facts = keySettingsFacts({
  name: unsetKey.name,
  disabled: 0,
  rules: keyRulesText(unsetKey.rules),
});

/** Each field of a stored policy. */
export function policyFacts(text: string): Facts {
  return factsOf(readPolicyText(text));
}

/** A named policy, with what names it. */
export function namedPolicyFacts({ policy, ...row }: Row<'named_policies'>): Facts {
  return { ...policyFacts(policy), ...factsOf(row, 'updated_at') };
}

/** An unreadable policy can be replaced by another one; that change must be recorded too. */
function readPolicyText(text: string): object {
  try {
    const policy: unknown = JSON.parse(text);
    return typeof policy === 'object' && policy !== null ? policy : { unreadable: Buffer.from(text) };
  } catch {
    return { unreadable: Buffer.from(text) };
  }
}
