import { createHash } from 'node:crypto';
import type { Facts } from './facts.ts';

/** Objects whose changes can depend on what their author has seen, by their names in the audit log. */
export type VersionedKind = keyof typeof versionedFields;

/**
 * The settings of each kind, by their columns, with their names in the API. All fields of a policy count: the rest of an object
 * changes by itself, or when a secret is replaced.
 */
export const versionedFields = {
  policy: {
    maxCostWei: 'maxCostPerOperation',
    maxCostUsdMicros: 'maxCostPerOperation',
  },
  contract: { name: 'name', whitelisted_methods: 'whitelistedMethods', abi_bytes: 'abi', created_at: 'registration' },
  settingsOfApiKey: { name: 'name', disabled: 'disabled', rules: 'rules' },
  budget: { name: 'name', max_usd_micros: 'maxUsd', span: 'window', paymaster_ids: 'paymasterIds' },
  webhook: {
    webhook_url: 'webhookUrl',
    request_type: 'requestType',
    active: 'active',
    payload: 'payload',
  },
  notification: {
    url: 'url',
    events: 'events',
    active: 'active',
    tank_low_wei: 'tankLow',
    tank_low_days: 'tankLow',
  },
  paymaster: { name: 'name', paused_at: 'paused', retired_at: 'retirement', funding_wallet: 'fundingWallet' },
} as const;

function settingsOf(kind: VersionedKind, facts: Facts): readonly (readonly [string, unknown])[] {
  const all = Object.entries(facts);
  return kind === 'policy' ? all : all.filter(([column]) => column in versionedFields[kind]);
}

/** The version of an object: a digest of its settings. The same settings have the same version. */
export function etagOf(kind: VersionedKind, facts: Facts): string {
  const settings = settingsOf(kind, facts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([column, value]) => [column, value]);
  return createHash('sha256')
    .update(JSON.stringify([kind, settings]))
    .digest('base64url')
    .slice(0, 22);
}

/** The names in the API of settings that differ. */
export function settingNames(kind: VersionedKind, columns: Iterable<string>): readonly string[] {
  const names: Readonly<Record<string, string>> = versionedFields[kind];
  const own = [...columns].flatMap((column) => names[column] ?? (kind === 'policy' ? camelCase(column) : []));
  return [...new Set(own)];
}

function camelCase(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
