import { isDeepStrictEqual } from 'node:util';
import type { AuditLabel } from '@tollfree/contract/operation';
import type { Selectable, Transaction } from 'kysely';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { Database } from '../../store/database.ts';
import { ownsPaymaster } from '../../store/own-paymaster.ts';
import type { Facts, Objects } from './facts.ts';
import { etagOf, settingNames, type VersionedKind } from './object-versions.ts';
import { unsetKeyFacts, unsetPolicyFacts } from './row-facts.ts';

/** The part of a change's input that says what it is for. */
type Input = {
  readonly accountId?: string;
  readonly paymasterId?: string;
  readonly policyId?: string;
  readonly budgetId?: string;
  readonly webhookId?: string;
  readonly notificationId?: string;
  readonly apiKeyId?: string;
  readonly address?: string;
  readonly etag?: string;
  readonly policy?: { readonly etag?: string };
};

type Target = { readonly kind: VersionedKind; readonly id: string };

/** The object that a change is for. Changes of other kinds have none. */
const targets: Readonly<Partial<Record<AuditLabel, (input: Input, objects: Objects) => Target>>> = {
  policy: ({ paymasterId = '' }) => ({ kind: 'policy', id: paymasterId }),
  'named policy': ({ policyId = '' }) => ({ kind: 'policy', id: policyId }),
  contract: ({ address = '' }) => ({ kind: 'contract', id: parseAddress(address)?.toLowerCase() ?? '' }),
  apiKeys: ({ paymasterId, apiKeyId }, objects) => {
    const number = objects[`apiKey ${apiKeyId}`]?.key_number;
    return { kind: 'settingsOfApiKey', id: `${paymasterId}:${number}` };
  },
  budgets: ({ budgetId = '' }) => ({ kind: 'budget', id: budgetId }),
  webhooks: ({ webhookId = '' }) => ({ kind: 'webhook', id: webhookId }),
  notifications: ({ notificationId = '' }) => ({ kind: 'notification', id: notificationId }),
  paymaster: ({ paymasterId = '' }) => ({ kind: 'paymaster', id: paymasterId }),
};

/**
 * Refuses a change for another version of its object than the current one. `objects` are those before the change. Without a
 * version in the input the change is made whatever the object is.
 */
export async function refuseStale(
  trx: Transaction<Database>,
  { changes, input }: { readonly changes: AuditLabel; readonly input: unknown },
  objects: Objects,
): Promise<Refusal | undefined> {
  const given = input as Input;
  const expected = given.etag ?? given.policy?.etag;
  const target = expected === undefined ? undefined : targets[changes]?.(given, objects);
  if (expected === undefined || target === undefined || !(await isOwn(trx, given))) return undefined;
  const facts = objects[`${target.kind} ${target.id}`] ?? unset[changes];
  // A missing object, or one of another paymaster, is refused by the change itself.
  const isForeign = facts?.paymaster_id !== undefined && facts.paymaster_id !== given.paymasterId;
  if (facts === undefined || isForeign || etagOf(target.kind, facts) === expected) return undefined;
  return {
    reason: 'CHANGED_MEANWHILE',
    message: await messageOf(
      trx,
      target,
      await findChanges(trx, { target, facts, expected, first: unset[changes] ?? {} }),
    ),
  };
}

/** The facts of objects that exist before anyone has changed them. */
const unset: Readonly<Partial<Record<AuditLabel, Facts>>> = { policy: unsetPolicyFacts, apiKeys: unsetKeyFacts };

async function isOwn(trx: Transaction<Database>, { accountId, paymasterId }: Input): Promise<boolean> {
  if (accountId === undefined || paymasterId === undefined) return true;
  return ownsPaymaster(trx, { accountId, paymasterId });
}

/** Most entries of the audit log that are compared with the version that a caller has seen. */
const maxCompared = 50;

type Entry = Selectable<Database['audit_log']>;
type Changes = { readonly names: readonly string[]; readonly entries: readonly Entry[] };

/**
 * What was changed since the object had the expected version, by undoing the entries of the audit log from the newest on. If
 * none leads there, because the log is pruned or the version never existed, it is the newest change alone.
 */
async function findChanges(
  trx: Transaction<Database>,
  {
    target,
    facts,
    expected,
    first,
  }: { readonly target: Target; readonly facts: Facts; readonly expected: string; readonly first: Facts },
): Promise<Changes> {
  const object = `${target.kind} ${target.id}`;
  const entries: Entry[] = [];
  let then = facts;
  for (const entry of await readEntries(trx, target.id)) {
    const [was, is] = [entry.state_before, entry.state_after].map((text) => (JSON.parse(text) as Objects)[object]);
    if (was === undefined && is === undefined) continue;
    entries.push(entry);
    then = was === undefined ? first : undo(then, was, is);
    if (etagOf(target.kind, then) === expected) {
      return { names: settingNames(target.kind, differing(facts, then)), entries };
    }
  }
  const [newest] = entries;
  return { names: [], entries: newest === undefined ? [] : [newest] };
}

function readEntries(trx: Transaction<Database>, id: string): Promise<Entry[]> {
  return trx
    .selectFrom('audit_log_keys as keys')
    .innerJoin('audit_log', 'audit_log.entry_number', 'keys.entry_number')
    .selectAll('audit_log')
    .where('keys.key', '=', `object ${id.toLowerCase()}`)
    .orderBy('keys.changed_at', 'desc')
    .orderBy('keys.entry_number', 'desc')
    .limit(maxCompared)
    .execute();
}

function undo(now: Facts, was: Facts, is: Facts = {}): Facts {
  const kept = Object.entries(now).filter(([column]) => !(column in is));
  return { ...Object.fromEntries(kept), ...was };
}

function differing(a: Facts, b: Facts): readonly string[] {
  const columns = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...columns].filter((column) => !isDeepStrictEqual(a[column], b[column]));
}

const kindNames: Readonly<Record<VersionedKind, string>> = {
  policy: 'policy',
  contract: 'smart contract',
  settingsOfApiKey: 'apiKey',
  budget: 'budget',
  webhook: 'webhook',
  notification: 'notification',
  paymaster: 'paymaster',
};

/** Most authors that a message names. */
const maxAuthors = 3;

async function messageOf(trx: Transaction<Database>, { kind }: Target, { names, entries }: Changes): Promise<string> {
  const ofAuthors = new Map(
    entries.map((entry) => [`${entry.actor_kind} ${entry.wallet ?? entry.credential_id}`, entry]),
  );
  const authors: string[] = [];
  for (const entry of [...ofAuthors.values()].slice(0, maxAuthors)) authors.push(await authorOf(trx, entry));
  const others = ofAuthors.size > maxAuthors ? ` and ${ofAuthors.size - maxAuthors} more` : '';
  const by = authors.length === 0 ? '' : ` by ${authors.join(', ')}${others}`;
  const what = names.length === 0 ? '' : `: ${names.join(', ')}`;
  return `The ${kindNames[kind]} has been changed${by} since it was read${what}. Read it again and repeat the change.`;
}

/** Who made a change, by the name that the account has given to the member or the authToken. */
async function authorOf(trx: Transaction<Database>, entry: Entry): Promise<string> {
  const { actor_kind, wallet, credential_id } = entry;
  if (wallet !== null) {
    const name = await nameOfMember(trx, entry, wallet);
    return name === undefined ? `wallet ${wallet}` : `${name} (wallet ${wallet})`;
  }
  if (credential_id !== null && (actor_kind === 'auth-token' || actor_kind === 'session')) {
    const name = await nameOfToken(trx, credential_id);
    if (name !== undefined) return `the authToken “${name}”`;
  }
  if (actor_kind === 'auth-token') return 'an authToken';
  return actor_kind === 'operator' ? 'the operator' : `a ${actor_kind}`;
}

async function nameOfMember(
  trx: Transaction<Database>,
  { account_id }: Entry,
  wallet: string,
): Promise<string | undefined> {
  if (account_id === null) return undefined;
  const member = await trx
    .selectFrom('account_members')
    .select('name')
    .where('account_id', '=', account_id)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  return member?.name ?? undefined;
}

/** The name of an authToken, or of the one that a session began with. `credentialId` is the id of either. */
async function nameOfToken(trx: Transaction<Database>, credentialId: string): Promise<string | undefined> {
  const session = await trx
    .selectFrom('sessions')
    .select('auth_token_id')
    .where('session_id', '=', credentialId)
    .executeTakeFirst();
  const token = await trx
    .selectFrom('auth_tokens')
    .select('name')
    .where('auth_token_id', '=', session?.auth_token_id ?? credentialId)
    .executeTakeFirst();
  return token?.name;
}
