import type { Kysely, Selectable } from 'kysely';
import type { ApiKeySettings } from '../../domain/paymaster.ts';
import type { Policy } from '../../domain/policy.ts';
import { readKeySettings } from '../../paymasters/key-settings.ts';
import { parsePolicy, readStoredPolicy } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { type AuditEntry, auditTime } from './audit-entry.ts';

/**
 * What may spend the sponsor's money at `now` (Unix seconds): apiKeys and policies, with deciding webhooks and funding
 * wallets.
 */
export async function auditPaymasters(db: Kysely<Database>, now: number): Promise<readonly AuditEntry[]> {
  const paymasters = await db.selectFrom('paymasters').selectAll().orderBy('paymaster_number').execute();
  const entries: AuditEntry[] = [];
  for (const paymaster of paymasters) {
    const { paymaster_id: paymasterId, account_id: accountId, name, funding_wallet: wallet } = paymaster;
    const of = { accountId, paymasterId, name };
    entries.push(
      ...(await apiKeys(db, paymasterId, now)).map((key) => ({ ...key, ...of })),
      ...(await policies(db, paymasterId)).map((policy) => ({ ...of, ...policy })),
      ...(await webhooks(db, paymasterId)).map((webhook) => ({ ...webhook, ...of })),
    );
    if (wallet !== null) {
      entries.push({ ...of, risk: 'none', kind: 'fundingWallet', id: wallet, what: 'fills the gas tank' });
    }
  }
  return entries;
}

type Found = Pick<AuditEntry, 'risk' | 'kind' | 'id' | 'what'>;

async function apiKeys(db: Kysely<Database>, paymasterId: string, now: number): Promise<readonly Found[]> {
  const keys = await db
    .selectFrom('api_keys')
    .select(['api_key_id', 'key_number', 'created_at', 'expires_at'])
    .where('paymaster_id', '=', paymasterId)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('api_key_number')
    .execute();
  const settings = await readKeySettings(db, paymasterId);
  return keys.map(({ api_key_id: id, key_number: number, created_at: createdAt, expires_at: end }) => {
    const made = `made ${auditTime(createdAt)}${end === null ? '' : `, replaced, still accepted until ${auditTime(end)}`}`;
    const set = settings.get(number);
    const may = set === undefined ? '' : `, "${set.name}": ${describeKey(set)}`;
    return { risk: end === null ? 'none' : 'low', kind: 'apiKey', id, what: made + may };
  });
}

/** What a key allows. */
function describeKey({ disabled, rules }: ApiKeySettings): string {
  if (disabled) return 'disabled';
  const { origins, networks, methods, rate, limits } = rules;
  const list = (what: string, items: readonly string[]) => (items.length === 0 ? [] : [`${what} ${items.join(' ')}`]);
  const bounds = [
    ...list('origins', origins),
    ...list('networks', networks),
    ...list('methods', methods),
    ...(rate === undefined ? [] : [`${rate.perSecond} requests a second`]),
    ...limits.map(({ window, unit, max }) => `${max} ${unit} per ${window}`),
  ];
  return bounds.length === 0 ? 'has no restrictions except the policy' : `restricted to ${bounds.join(', ')}`;
}

/** The default policy, and the named ones that requests may choose. */
async function policies(db: Kysely<Database>, paymasterId: string): Promise<readonly Found[]> {
  const named = await db
    .selectFrom('named_policies')
    .select(['policy_id', 'policy'])
    .where('paymaster_id', '=', paymasterId)
    .where('enabled', '=', 1)
    .orderBy('name')
    .execute();
  return [
    policyEntry(paymasterId, await readStoredPolicy(db, paymasterId)),
    ...named.map(({ policy_id: id, policy }) => policyEntry(id, parsePolicy(policy, id))),
  ];
}

function policyEntry(id: string, { limits, allowedSenders }: Policy): Found {
  const entry = { kind: 'policy', id } as const;
  if (limits.length > 0) {
    const said = limits.map(({ per, window, unit }) => `${unit} per ${per} and ${window}`);
    return { ...entry, risk: 'none', what: `limits: ${said.join(', ')}` };
  }
  if (allowedSenders === undefined) {
    return { ...entry, risk: 'high', what: 'has no limit: any sender can empty the gas tank with allowed operations' };
  }
  const senders = `${allowedSenders.length} senders`;
  return { ...entry, risk: 'medium', what: `has no limit: ${senders} can empty the gas tank with allowed operations` };
}

async function webhooks(db: Kysely<Database>, paymasterId: string): Promise<readonly Found[]> {
  const rows = await db.selectFrom('webhooks').selectAll().where('paymaster_id', '=', paymasterId).execute();
  return rows.map((row) => webhook(row));
}

/** Without its URL, which may contain a secret. */
function webhook({ webhook_id: id, active }: Selectable<Database['webhooks']>): Found {
  if (active === 1) return { risk: 'none', kind: 'webhook', id, what: 'is called' };
  return { risk: 'medium', kind: 'webhook', id, what: 'is inactive: operations are signed without calling it' };
}
