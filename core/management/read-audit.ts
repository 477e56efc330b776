import { counted } from '@tollfree/contract/counted';
import type { Kysely, Selectable } from 'kysely';
import type { ApiKeySettings } from '../domain/paymaster.ts';
import type { Policy } from '../domain/policy.ts';
import { readSigners } from '../ledger/signers.ts';
import { readKeySettings } from '../paymasters/key-settings.ts';
import { parsePolicy, readStoredPolicy } from '../policies/policy-text.ts';
import { hasTotalLimit } from '../policies/unbounded-paymasters.ts';
import type { Database } from '../store/database.ts';
import type { ReadStore } from '../store/open-store.ts';
import { signInLimits } from './accounts/sign-in-limits.ts';

/** Who can do what at `now` (Unix seconds), most severe first. Changes nothing. */
export function readAudit(store: Pick<ReadStore, 'read'>, now: number): Promise<readonly AuditEntry[]> {
  return store.read(async (db) => {
    const entries = [...(await auditAccounts(db, now)), ...(await auditPaymasters(db, now)), ...(await signers(db))];
    return entries.toSorted((one, other) => auditRisks.indexOf(one.risk) - auditRisks.indexOf(other.risk));
  });
}

async function signers(db: ReadStore['db']): Promise<readonly AuditEntry[]> {
  const known = await readSigners({ db });
  return known
    .filter(({ until, openUntil }) => until === undefined || openUntil !== undefined)
    .map(({ chainId, contract, signer, until, openUntil }) => ({
      risk: until === undefined ? 'none' : 'low',
      kind: 'signer',
      id: signer,
      what:
        until === undefined || openUntil === undefined
          ? `signs for ${contract} of chain ${chainId}`
          : `no longer signs for ${contract} of chain ${chainId}; its signatures are open until ${auditTime(openUntil)}`,
    }));
}

/** An authToken unused for this long is probably not needed, in seconds: 90 days. */
const longUnused = 90 * 86_400;

/** Accounts and their credentials at `now` (Unix seconds): authTokens and sessions. */
async function auditAccounts(db: Kysely<Database>, now: number): Promise<readonly AuditEntry[]> {
  const accounts = await db
    .selectFrom('accounts')
    .selectAll()
    .select((select) =>
      select
        .selectFrom('paymasters')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('paymasters.account_id', '=', 'accounts.account_id')
        .as('paymasters'),
    )
    .orderBy('created_at')
    .execute();
  const tokens = await db
    .selectFrom('auth_tokens')
    .innerJoin('accounts', 'accounts.account_id', 'auth_tokens.account_id')
    .selectAll('auth_tokens')
    .where('accounts.suspended_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('auth_tokens.created_at')
    .execute();
  // The account's own wallet, its owner, is reported with the account.
  const members = await db
    .selectFrom('account_members')
    .innerJoin('accounts', 'accounts.account_id', 'account_members.account_id')
    .selectAll('account_members')
    .where('accounts.suspended_at', 'is', null)
    .where(({ eb, or, ref }) =>
      or([
        eb('role', '<>', 'owner'),
        eb('accounts.wallet', 'is', null),
        eb('accounts.wallet', '<>', ref('account_members.wallet')),
      ]),
    )
    .orderBy('added_at')
    .orderBy('account_members.wallet')
    .execute();
  const sessions = await db
    .selectFrom('sessions')
    .selectAll()
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', now - signInLimits.maxIdle)
    .execute();
  return [
    ...accounts.map((account) => accountEntry({ ...account, paymasters: account.paymasters ?? 0 })),
    ...members.map(memberEntry),
    ...tokens.map((token) => tokenEntry(token, now)),
    ...sessions.map(
      (session): AuditEntry => ({
        risk: 'none',
        kind: 'session',
        id: session.session_id,
        accountId: session.account_id,
        what: `signed in with ${session.wallet ?? 'an authToken'}, open until ${auditTime(session.expires_at)}, last seen ${auditTime(session.last_seen_at)}`,
      }),
    ),
  ];
}

function accountEntry(account: Selectable<Database['accounts']> & { readonly paymasters: number }): AuditEntry {
  const { account_id: id, name, wallet, invited, suspended_at: suspendedAt, paymasters } = account;
  const entry = { kind: 'account', id, accountId: id, name } as const;
  if (suspendedAt !== null) {
    const since = `suspended since ${auditTime(suspendedAt)}`;
    if (paymasters === 0) return { ...entry, risk: 'none', what: since };
    return { ...entry, risk: 'medium', what: `${since}; its paymasters continue to sponsor (${paymasters})` };
  }
  if (wallet === null) return { ...entry, risk: 'none', what: 'has no wallet that signs in' };
  if (invited === 1) return { ...entry, risk: 'low', what: `invited: ${wallet} has not signed in yet` };
  return { ...entry, risk: 'none', what: `${wallet} signs in` };
}

function memberEntry(member: Selectable<Database['account_members']>): AuditEntry {
  const { account_id: accountId, wallet: id, role, added_at: addedAt, joined_at: joinedAt } = member;
  const entry = { kind: 'member', id, accountId } as const;
  if (joinedAt === null) {
    return { ...entry, risk: 'low', what: `invited as ${role} ${auditTime(addedAt)}, has not signed in yet` };
  }
  return { ...entry, risk: 'none', what: `signs in as ${role}, for the first time ${auditTime(joinedAt)}` };
}

function tokenEntry(token: Selectable<Database['auth_tokens']>, now: number): AuditEntry {
  const { auth_token_id: id, account_id: accountId, name, created_at: createdAt } = token;
  const { last_used_at: usedAt, expires_at: expiresAt } = token;
  const isUnused = (usedAt ?? createdAt) <= now - longUnused;
  const isEndless = expiresAt === null;
  const used = usedAt === null ? `never used, issued ${auditTime(createdAt)}` : `last used ${auditTime(usedAt)}`;
  return {
    risk: isEndless && isUnused ? 'high' : isEndless ? 'medium' : isUnused ? 'low' : 'none',
    kind: 'authToken',
    id,
    accountId,
    name,
    what: `${used}, ${isEndless ? 'never expires' : `expires ${auditTime(expiresAt)}`}`,
  };
}

/**
 * What may spend the sponsor's money at `now` (Unix seconds): apiKeys and policies, with deciding webhooks and funding
 * wallets.
 */
async function auditPaymasters(db: Kysely<Database>, now: number): Promise<readonly AuditEntry[]> {
  const paymasters = await db.selectFrom('paymasters').selectAll().orderBy('paymaster_number').execute();
  const entries: AuditEntry[] = [];
  for (const paymaster of paymasters) {
    const { paymaster_id: paymasterId, account_id: accountId, name, funding_wallet: wallet } = paymaster;
    const of = { accountId, paymasterId, name };
    entries.push(
      ...(await apiKeys(db, paymasterId, now)).map((key) => ({ ...key, ...of })),
      ...(await policies(db, paymaster)).map((policy) => ({ ...of, ...policy })),
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
    ...(rate === undefined ? [] : [`${counted(rate.perSecond, 'request')} a second`]),
    ...limits.map(({ window, unit, max }) => `${max} ${unit} per ${window}`),
  ];
  return bounds.length === 0 ? 'has no restrictions except the policy' : `restricted to ${bounds.join(', ')}`;
}

/** The default policy, and the named ones that requests may choose. */
async function policies(
  db: Kysely<Database>,
  { paymaster_id: paymasterId, account_id: accountId }: Selectable<Database['paymasters']>,
): Promise<readonly Found[]> {
  const named = await db
    .selectFrom('named_policies')
    .select(['policy_id', 'policy'])
    .where('paymaster_id', '=', paymasterId)
    .where('enabled', '=', 1)
    .orderBy('name')
    .execute();
  const budgets = await db
    .selectFrom('budgets')
    .select(['name', 'paymaster_ids'])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();
  const budget = budgets.find((each) => each.paymaster_ids?.split(' ').includes(paymasterId) ?? true)?.name;
  return [
    policyEntry(paymasterId, await readStoredPolicy(db, paymasterId), budget),
    ...named.map(({ policy_id: id, policy }) => policyEntry(id, parsePolicy(policy, id), budget)),
  ];
}

/** `budget`: the name of one that covers the paymaster. */
function policyEntry(id: string, { limits, allowedSenders }: Policy, budget: string | undefined): Found {
  const entry = { kind: 'policy', id } as const;
  const texts = limits.map(({ per, window, unit }) => `${unit} per ${per} and ${window}`);
  const listed = limits.length === 0 ? 'has no limit' : `limits: ${texts.join(', ')}`;
  if (hasTotalLimit(limits)) return { ...entry, risk: 'none', what: listed };
  if (budget !== undefined) return { ...entry, risk: 'none', what: `${listed}; bounded by the budget "${budget}"` };
  const what = `${listed}${limits.length === 0 ? '' : ', none of them in total'}`;
  if (allowedSenders === undefined) {
    return {
      ...entry,
      risk: 'high',
      what: `${what}: any number of senders can empty the gas tank with allowed operations`,
    };
  }
  const senders = counted(allowedSenders.length, 'sender');
  return { ...entry, risk: 'medium', what: `${what}: ${senders} can empty the gas tank with allowed operations` };
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

/** Most severe first. `none`: nothing to do, but it says who can do what. */
const auditRisks = ['high', 'medium', 'low', 'none'] as const;

/** Someone or something with a right, and remarks on it. No secret, nor a digest of one. */
type AuditEntry = {
  readonly risk: (typeof auditRisks)[number];
  readonly kind:
    | 'account'
    | 'member'
    | 'authToken'
    | 'session'
    | 'apiKey'
    | 'policy'
    | 'webhook'
    | 'fundingWallet'
    | 'signer';
  /**
   * The id of the account, authToken, session, apiKey or named policy; a member's wallet; the paymaster of a default policy
   * or funding wallet; or an address.
   */
  readonly id: string;
  readonly accountId?: string;
  readonly paymasterId?: string;
  /** The name chosen by its holder: of the account, the authToken or the paymaster. */
  readonly name?: string;
  readonly what: string;
};

function auditTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString().replace('.000Z', 'Z');
}
