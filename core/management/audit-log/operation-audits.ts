import { coreOperations, type DescribedName } from '@tollfree/contract/core-operations';
import type { AuditLabel } from '@tollfree/contract/operation';
import type { Transaction } from 'kysely';
import type { Scope } from '../../domain/access/scope.ts';
import type { Database } from '../../store/database.ts';
import { scopesToPutPolicy } from '../policies/scopes-to-put-policy.ts';
import type { Objects } from './facts.ts';
import { idIn } from './id-in.ts';
import {
  lookAtAccess,
  lookAtAccount,
  lookAtAuthTokens,
  lookAtBudgets,
  lookAtMembers,
  lookAtNewSession,
  lookAtSessions,
} from './snapshots/snapshot-account.ts';
import { lookAtHold, lookAtTanks, lookAtWatches } from './snapshots/snapshot-ledger.ts';
import {
  lookAtApiKeys,
  lookAtContract,
  lookAtDelivery,
  lookAtFundingMessage,
  lookAtNamedPolicy,
  lookAtNotifications,
  lookAtPaymaster,
  lookAtPolicy,
  lookAtTicketKeys,
  lookAtWebhooks,
} from './snapshots/snapshot-paymaster.ts';

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
  /** The objects that it may change, before and after: then with the answer of its transaction, which has new ids. */
  readonly look: (trx: Reader, input: Input, answer?: unknown) => Promise<Objects>;
  /** Scopes that this very change needs as well, by what it changes. */
  readonly alsoNeeds?: (trx: Reader, input: Input) => Promise<readonly Scope[]>;
  /** What it did in another account, which gets an entry of its own. */
  readonly elsewhere?: (answer: unknown) => { readonly accountId: string; readonly after: Objects } | undefined;
};

/** How an operation is recorded, and who may make the change: with these scopes, or the author that its description names. */
export type OperationAudit = Audit & { readonly needs: readonly Scope[] | 'any member' | 'anyone' | 'operator' };

const namedPolicy: Audit = {
  look: (trx, { policyId }) => lookAtNamedPolicy(trx, policyId),
  alsoNeeds: scopesToPutPolicy,
};
const newSession: Audit = { look: (trx, _, answer) => lookAtNewSession(trx, idIn(answer, 'sessionId')) };

const audits: { readonly [Label in AuditLabel]: Audit } = {
  'new account': {
    look: async (trx, _, answer) => {
      const accountId = idIn(answer, 'account_id', 'accountId');
      return { ...(await lookAtAccount(trx, accountId)), ...(await lookAtMembers(trx, accountId)) };
    },
  },
  account: {
    look: async (trx, { accountId }) => ({
      ...(await lookAtAccount(trx, accountId)),
      ...(await lookAtSessions(trx, accountId)),
    }),
  },
  access: { look: (trx, { accountId }) => lookAtAccess(trx, accountId) },
  authTokens: { look: (trx, { accountId }) => lookAtAuthTokens(trx, accountId) },
  'revoked authToken': {
    look: async (trx, { accountId }) => ({
      ...(await lookAtAuthTokens(trx, accountId)),
      ...(await lookAtSessions(trx, accountId)),
    }),
  },
  sessions: { look: (trx, { accountId }) => lookAtSessions(trx, accountId) },
  'new session': newSession,
  'switched session': { ...newSession, elsewhere: sessionLeft },
  'ended session': {
    // It is known by its secret alone, which the store does not have: the transaction answers which one it was.
    look: async (_trx, _, answer) => {
      const sessionId = idIn(answer, 'session_id');
      if (sessionId === undefined) return {};
      return { [`session ${sessionId}`]: { account_id: idIn(answer, 'account_id'), ended: true } };
    },
  },
  budgets: { look: (trx, { accountId }) => lookAtBudgets(trx, accountId) },
  'new paymaster': {
    look: async (trx, _, answer) => ({
      ...(await lookAtPaymaster(trx, idIn(answer, 'paymasterId'))),
      ...(await lookAtApiKeys(trx, idIn(answer, 'paymasterId'))),
    }),
  },
  paymaster: {
    // A change of a paymaster can change its keys.
    look: async (trx, { paymasterId }) => ({
      ...(await lookAtPaymaster(trx, paymasterId)),
      ...(await lookAtApiKeys(trx, paymasterId)),
    }),
  },
  apiKeys: { look: (trx, { paymasterId }) => lookAtApiKeys(trx, paymasterId) },
  'ticket keys': { look: (trx, { paymasterId }) => lookAtTicketKeys(trx, paymasterId) },
  'funding message': { look: (trx, { paymasterId }) => lookAtFundingMessage(trx, paymasterId) },
  'funding wallet': {
    look: async (trx, { paymasterId }) => ({
      ...(await lookAtPaymaster(trx, paymasterId)),
      ...(await lookAtFundingMessage(trx, paymasterId)),
    }),
  },
  policy: { look: (trx, { paymasterId }) => lookAtPolicy(trx, paymasterId), alsoNeeds: scopesToPutPolicy },
  'new policy': {
    look: (trx, _, answer) => lookAtNamedPolicy(trx, idIn(answer, 'policyId')),
    alsoNeeds: scopesToPutPolicy,
  },
  'named policy': namedPolicy,
  contract: { look: (trx, { paymasterId, address }) => lookAtContract(trx, paymasterId, address) },
  webhooks: { look: (trx, { paymasterId }) => lookAtWebhooks(trx, paymasterId) },
  notifications: { look: (trx, { paymasterId }) => lookAtNotifications(trx, paymasterId) },
  delivery: { look: (trx, { deliveryId }) => lookAtDelivery(trx, deliveryId) },
  'new delivery': { look: (trx, _, answer) => lookAtDelivery(trx, idIn(answer, 'deliveryId')) },
  tanks: { look: (trx, { paymasterId }) => lookAtTanks(trx, paymasterId) },
  watches: { look: (trx, { chainId }) => lookAtWatches(trx, chainId) },
  hold: { look: (trx, { holdId }) => lookAtHold(trx, holdId) },
};

/** A session that ends because it goes on in another account. */
function sessionLeft(answer: unknown): { readonly accountId: string; readonly after: Objects } | undefined {
  const [accountId, sessionId] = [idIn(answer, 'leftAccountId'), idIn(answer, 'leftSessionId')];
  if (accountId === undefined || sessionId === undefined) return undefined;
  return { accountId, after: { [`session ${sessionId}`]: { account_id: accountId, ended: true } } };
}

/**
 * Each operation of the core: that it `reads`, or how its change is recorded. What signs and what counts towards limits changes
 * nothing that anyone manages, and has a ledger of its own.
 */
export const operationAudits = Object.fromEntries(
  Object.entries(coreOperations).map(([name, { changes, author, scopes }]) => [
    name,
    changes === undefined ? 'reads' : { ...audits[changes], needs: author ?? scopes },
  ]),
) as { readonly [Name in DescribedName]: OperationAudit | 'reads' };

/** How the change of an operation is recorded; nothing for one that reads. */
export function auditOf(name: string): OperationAudit | undefined {
  const audit = operationAudits[name as DescribedName] ?? 'reads';
  return audit === 'reads' ? undefined : audit;
}
