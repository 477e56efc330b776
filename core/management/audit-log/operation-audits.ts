import { isDeepStrictEqual } from 'node:util';
import { coreOperations, type DescribedName } from '@tollfree/contract/core-operations';
import type { AuditLabel } from '@tollfree/contract/operation';
import type { Transaction } from 'kysely';
import { type Scope, scopes } from '../../domain/access/actor.ts';
import { defaultPolicy, type Policy, policyScopes } from '../../domain/policy.ts';
import { checkPolicy } from '../../policies/check-policy.ts';
import { readPolicyAt } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { RowError } from '../../store/store-error.ts';
import type { Objects } from './facts.ts';
import {
  lookAtArchive,
  snapshotAccess,
  snapshotAccount,
  snapshotApiKeys,
  snapshotAuthTokens,
  snapshotBudgets,
  snapshotContract,
  snapshotDelivery,
  snapshotFundingMessage,
  snapshotHold,
  snapshotMembers,
  snapshotNamedPolicy,
  snapshotNewSession,
  snapshotNotifications,
  snapshotPaymaster,
  snapshotPolicy,
  snapshotSessions,
  snapshotTanks,
  snapshotTicketKeys,
  snapshotWatches,
  snapshotWebhooks,
} from './snapshots.ts';

type Reader = Transaction<Database>;

/** The ids in an operation's input, which it has checked. */
type Input = {
  readonly accountId: string;
  readonly paymasterId: string;
  readonly policyId: string;
  readonly address: string;
  readonly deliveryId: string;
  readonly chainId: number;
  readonly holdId: number;
};

/** How changes of one kind are recorded. */
type Audit = {
  /**
   * Snapshots of the objects that it may change, before and after. Afterwards the transaction's answer, with new ids, is
   * available.
   */
  readonly look: (trx: Reader, input: Input, answer?: unknown) => Promise<Objects>;
  /** Additional scopes for this particular change, depending on what it changes. */
  readonly alsoNeeds?: (trx: Reader, input: Input) => Promise<readonly Scope[]>;
  /** Its effect in another account, which gets an entry of its own. */
  readonly elsewhere?: (answer: unknown) => { readonly accountId: string; readonly after: Objects } | undefined;
};

/**
 * How an operation is recorded, and who may make the change: callers with these scopes, or the author named in its
 * description.
 */
export type OperationAudit = Audit & {
  readonly changes: AuditLabel;
  readonly needs: readonly Scope[] | 'any member' | 'anyone' | 'operator';
};

const namedPolicy: Audit = {
  look: (trx, { policyId }) => snapshotNamedPolicy(trx, policyId),
  alsoNeeds: scopesToPutPolicy,
};
const newSession: Audit = { look: (trx, _, answer) => snapshotNewSession(trx, idIn(answer, 'sessionId')) };

const audits: { readonly [Label in AuditLabel]: Audit } = {
  'new account': {
    look: async (trx, _, answer) => {
      const accountId = idIn(answer, 'account_id', 'accountId');
      return { ...(await snapshotAccount(trx, accountId)), ...(await snapshotMembers(trx, accountId)) };
    },
  },
  account: {
    look: async (trx, { accountId }) => ({
      ...(await snapshotAccount(trx, accountId)),
      ...(await snapshotSessions(trx, accountId)),
    }),
  },
  access: { look: (trx, { accountId }) => snapshotAccess(trx, accountId) },
  authTokens: { look: (trx, { accountId }) => snapshotAuthTokens(trx, accountId) },
  'revoked authToken': {
    look: async (trx, { accountId }) => ({
      ...(await snapshotAuthTokens(trx, accountId)),
      ...(await snapshotSessions(trx, accountId)),
    }),
  },
  sessions: { look: (trx, { accountId }) => snapshotSessions(trx, accountId) },
  'new session': newSession,
  'switched session': { ...newSession, elsewhere: sessionLeft },
  'ended session': {
    // The input only has the secret, which is not stored: the transaction's answer has the id.
    look: async (_trx, _, answer) => {
      const sessionId = idIn(answer, 'session_id');
      if (sessionId === undefined) return {};
      return { [`session ${sessionId}`]: { account_id: idIn(answer, 'account_id'), ended: true } };
    },
  },
  budgets: { look: (trx, { accountId }) => snapshotBudgets(trx, accountId) },
  'new paymaster': {
    look: async (trx, _, answer) => ({
      ...(await snapshotPaymaster(trx, idIn(answer, 'paymasterId'))),
      ...(await snapshotApiKeys(trx, idIn(answer, 'paymasterId'))),
    }),
  },
  paymaster: {
    // A change of a paymaster can change its keys.
    look: async (trx, { paymasterId }) => ({
      ...(await snapshotPaymaster(trx, paymasterId)),
      ...(await snapshotApiKeys(trx, paymasterId)),
    }),
  },
  apiKeys: { look: (trx, { paymasterId }) => snapshotApiKeys(trx, paymasterId) },
  'ticket keys': { look: (trx, { paymasterId }) => snapshotTicketKeys(trx, paymasterId) },
  'funding message': { look: (trx, { paymasterId }) => snapshotFundingMessage(trx, paymasterId) },
  'funding wallet': {
    look: async (trx, { paymasterId }) => ({
      ...(await snapshotPaymaster(trx, paymasterId)),
      ...(await snapshotFundingMessage(trx, paymasterId)),
    }),
  },
  policy: { look: (trx, { paymasterId }) => snapshotPolicy(trx, paymasterId), alsoNeeds: scopesToPutPolicy },
  'new policy': {
    look: (trx, _, answer) => snapshotNamedPolicy(trx, idIn(answer, 'policyId')),
    alsoNeeds: scopesToPutPolicy,
  },
  'named policy': namedPolicy,
  contract: { look: (trx, { paymasterId, address }) => snapshotContract(trx, paymasterId, address) },
  webhooks: { look: (trx, { paymasterId }) => snapshotWebhooks(trx, paymasterId) },
  notifications: { look: (trx, { paymasterId }) => snapshotNotifications(trx, paymasterId) },
  delivery: { look: (trx, { deliveryId }) => snapshotDelivery(trx, deliveryId) },
  'new delivery': { look: (trx, _, answer) => snapshotDelivery(trx, idIn(answer, 'deliveryId')) },
  tanks: { look: (trx, { paymasterId }) => snapshotTanks(trx, paymasterId) },
  watches: { look: (trx, { chainId }) => snapshotWatches(trx, chainId) },
  archive: { look: (trx) => lookAtArchive(trx) },
  hold: { look: (trx, { holdId }) => snapshotHold(trx, holdId) },
};

/** A session that ends because it continues in another account. */
function sessionLeft(answer: unknown): { readonly accountId: string; readonly after: Objects } | undefined {
  const [accountId, sessionId] = [idIn(answer, 'leftAccountId'), idIn(answer, 'leftSessionId')];
  if (accountId === undefined || sessionId === undefined) return undefined;
  return { accountId, after: { [`session ${sessionId}`]: { account_id: accountId, ended: true } } };
}

/**
 * For each operation of the core: that it `reads`, or how its change is recorded. Signing and counting towards limits change
 * no managed object, and are recorded in their own ledger.
 */
export const operationAudits = Object.fromEntries(
  Object.entries(coreOperations).map(([name, { changes, author, scopes }]) => [
    name,
    changes === undefined ? 'reads' : { ...audits[changes], changes, needs: author ?? scopes },
  ]),
) as { readonly [Name in DescribedName]: OperationAudit | 'reads' };

/** How the change of an operation is recorded; undefined for one that reads. */
export function auditOf(name: string): OperationAudit | undefined {
  const audit = operationAudits[name as DescribedName] ?? 'reads';
  return audit === 'reads' ? undefined : audit;
}

/** The id in a transaction's answer: in a row, or in the value of a result. The first of the names that is present. */
export function idIn(answer: unknown, ...names: readonly string[]): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const fields: object =
    'value' in answer && typeof answer.value === 'object' && answer.value !== null ? answer.value : answer;
  const ids = names.map((name) => (fields as Readonly<Record<string, unknown>>)[name]);
  return ids.find((id) => typeof id === 'string') as string | undefined;
}

/** The policy to set; absent when deleting. `policyId` is absent for the default policy and for a new one. */
type Put = { readonly paymasterId: string; readonly policyId?: string; readonly policy?: Policy };

/**
 * The scopes required to set, create or delete a policy. A new or deleted policy is compared with the default policy, which
 * decides requests that name a deleted one.
 */
async function scopesToPutPolicy(
  trx: Transaction<Database>,
  { paymasterId, policyId, policy }: Put,
): Promise<readonly Scope[]> {
  const before = await readBefore(trx, paymasterId, policyId ?? '');
  if (policy === undefined) return scopesOfPolicyChange(before, await readBefore(trx, paymasterId, ''));
  const after = checkPolicy(policy);
  // An invalid policy will not be stored.
  return after.ok ? scopesOfPolicyChange(before, after.value) : [];
}

/** If the previous policy is unreadable or missing, all differences from the default policy count. */
async function readBefore(trx: Transaction<Database>, paymasterId: string, policyId: string): Promise<Policy> {
  try {
    return (await readPolicyAt(trx, { paymasterId, policyId })) ?? defaultPolicy;
  } catch (error) {
    if (error instanceof RowError) return defaultPolicy;
    throw error;
  }
}

/** The scopes required to replace one policy by another. */
function scopesOfPolicyChange(before: Policy, after: Policy): readonly Scope[] {
  const needed = scopesOfChange(policyScopes, before, after);
  return scopes.filter((scope) => needed.has(scope));
}

type ScopesOfFields = { readonly [field: string]: Scope | ScopesOfFields };
type Fields = Readonly<Record<string, unknown>>;

function scopesOfChange(table: ScopesOfFields, before: Fields, after: Fields): ReadonlySet<Scope> {
  const needed = new Set<Scope>();
  for (const [field, scope] of Object.entries(table)) {
    const [was, is] = [before[field], after[field]];
    if (isDeepStrictEqual(was, is)) continue;
    if (typeof scope === 'string') needed.add(scope);
    else for (const one of scopesOfChange(scope, (was ?? {}) as Fields, (is ?? {}) as Fields)) needed.add(one);
  }
  return needed;
}
