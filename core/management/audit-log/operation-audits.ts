import type { Transaction } from 'kysely';
import { type Scope, scopes } from '../../domain/access/scope.ts';
import type { Core } from '../../domain/core.ts';
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
} from './looks/look-at-account.ts';
import { lookAtHold, lookAtTanks, lookAtWatches } from './looks/look-at-books.ts';
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
} from './looks/look-at-paymaster.ts';

/** Every operation that answers with a value or a refusal. */
export type AuditedName = Exclude<keyof Core, 'status'>;
type Input<Name extends AuditedName> = Parameters<Core[Name]> extends [infer Only] ? Only : undefined;

/**
 * What an operation changes. `needs`: the scopes that an authToken or session has to have for it, or that none will do;
 * `whoever` for what asks for nothing but one that is still accepted, and looks at the rest itself; `anybody` for what begins and
 * ends sessions. `look` tells the objects that it may change, before and after: then with what its
 * transaction answered, which has the ids of what is new. `elsewhere` tells what that did in another account, which has an entry of its own
 * and is not told in the other one.
 */
export type OperationAudit<Input = never> = {
  readonly needs: readonly Scope[] | 'whoever' | 'operator' | 'anybody';
  /** The scopes that this very change takes as well, by what it changes. */
  readonly alsoNeeds?: (trx: Transaction<Database>, input: Input) => Promise<readonly Scope[]>;
  readonly look: (trx: Transaction<Database>, input: Input, answer?: unknown) => Promise<Objects>;
  readonly elsewhere?: (answer: unknown) => { readonly accountId: string; readonly after: Objects } | undefined;
};

const manage: readonly Scope[] = ['manage'];
const funds: readonly Scope[] = ['funds'];
type OfPaymaster = { readonly paymasterId: string };
const atWebhooks = {
  needs: manage,
  look: (trx: Transaction<Database>, input: OfPaymaster) => lookAtWebhooks(trx, input.paymasterId),
};
const atNotifications = {
  needs: manage,
  look: (trx: Transaction<Database>, input: OfPaymaster) => lookAtNotifications(trx, input.paymasterId),
};
const atApiKeys = {
  needs: manage,
  look: (trx: Transaction<Database>, input: OfPaymaster) => lookAtApiKeys(trx, input.paymasterId),
};
const atNamedPolicy = {
  needs: manage,
  alsoNeeds: scopesToPutPolicy,
  look: (trx: Transaction<Database>, input: { readonly policyId: string }) => lookAtNamedPolicy(trx, input.policyId),
};
/** What becomes of a paymaster may become of its keys. */
const atPaymaster = {
  needs: manage,
  look: async (trx: Transaction<Database>, { paymasterId }: OfPaymaster) => ({
    ...(await lookAtPaymaster(trx, paymasterId)),
    ...(await lookAtApiKeys(trx, paymasterId)),
  }),
};
const atTicketKeys = {
  needs: manage,
  look: (trx: Transaction<Database>, input: OfPaymaster) => lookAtTicketKeys(trx, input.paymasterId),
};
const atContract = {
  needs: manage,
  look: (trx: Transaction<Database>, input: OfPaymaster & { readonly address: string }) =>
    lookAtContract(trx, input.paymasterId, input.address),
};
const atNewAccount = {
  needs: 'operator' as const,
  look: async (trx: Transaction<Database>, _: unknown, answer?: unknown) => {
    const accountId = idIn(answer, 'account_id', 'accountId');
    return { ...(await lookAtAccount(trx, accountId)), ...(await lookAtMembers(trx, accountId)) };
  },
};
/** Who may what is for those who may everything. */
const atMembers = {
  needs: scopes,
  look: (trx: Transaction<Database>, input: { readonly accountId: string }) => lookAtAccess(trx, input.accountId),
};
const atBudgets = {
  needs: manage,
  look: (trx: Transaction<Database>, input: { readonly accountId: string }) => lookAtBudgets(trx, input.accountId),
};
const atOwnSessions = {
  needs: manage,
  look: (trx: Transaction<Database>, input: { readonly accountId: string }) => lookAtSessions(trx, input.accountId),
};
/** A session that ends because it goes on in another account. */
function sessionLeft(answer: unknown): { readonly accountId: string; readonly after: Objects } | undefined {
  const [accountId, sessionId] = [idIn(answer, 'leftAccountId'), idIn(answer, 'leftSessionId')];
  if (accountId === undefined || sessionId === undefined) return undefined;
  return { accountId, after: { [`session ${sessionId}`]: { account_id: accountId, ended: true } } };
}
const atNewSession = {
  needs: 'anybody' as const,
  look: (trx: Transaction<Database>, _: unknown, answer?: unknown) => lookAtNewSession(trx, idIn(answer, 'sessionId')),
};

/** It is known by its secret alone, which the store has not: its transaction answers which it was. */
const atEndedSession = {
  needs: 'anybody' as const,
  look: async (_trx: Transaction<Database>, _: unknown, answer?: unknown): Promise<Objects> => {
    const sessionId = idIn(answer, 'session_id');
    if (sessionId === undefined) return {};
    return { [`session ${sessionId}`]: { account_id: idIn(answer, 'account_id'), ended: true } };
  },
};

/**
 * Each operation of the core: that it `reads`, or what it changes. One without a row does not compile. What signs and what
 * counts towards limits changes nothing that anybody manages, and has books of its own.
 */
export const operationAudits: { readonly [Name in AuditedName]: OperationAudit<Input<Name>> | 'reads' } = {
  createAccount: atNewAccount,
  listAccounts: 'reads',
  inviteAccount: atNewAccount,
  linkWallet: {
    needs: 'operator',
    look: (trx, { accountId }) => lookAtAccess(trx, accountId),
  },
  suspendAccount: {
    needs: 'operator',
    look: async (trx, { accountId }) => ({
      ...(await lookAtAccount(trx, accountId)),
      ...(await lookAtSessions(trx, accountId)),
    }),
  },
  issueAuthToken: { needs: manage, look: (trx, { accountId }) => lookAtAuthTokens(trx, accountId) },
  listAuthTokens: 'reads',
  revokeAuthToken: {
    needs: manage,
    look: async (trx, { accountId }) => ({
      ...(await lookAtAuthTokens(trx, accountId)),
      ...(await lookAtSessions(trx, accountId)),
    }),
  },
  listAuditLog: 'reads',
  authenticate: 'reads',

  readSignUp: 'reads',
  createSignInNonce: 'reads',
  signInWithWallet: atNewSession,
  signInWithAuthToken: atNewSession,
  authenticateSession: 'reads',
  readIdentity: 'reads',
  endSession: atEndedSession,
  listSessions: 'reads',
  revokeSession: atOwnSessions,
  // A member ends his own, whatever he may.
  revokeAllSessions: { ...atOwnSessions, needs: 'whoever' },

  listMembers: 'reads',
  addMember: atMembers,
  changeMember: atMembers,
  // A member takes himself out too.
  removeMember: { ...atMembers, needs: 'whoever' },
  listMemberships: 'reads',
  switchAccount: { ...atNewSession, elsewhere: sessionLeft },

  listBudgets: 'reads',
  createBudget: atBudgets,
  replaceBudget: atBudgets,
  deleteBudget: atBudgets,

  createPaymaster: {
    needs: manage,
    look: async (trx, _, answer) => ({
      ...(await lookAtPaymaster(trx, idIn(answer, 'paymasterId'))),
      ...(await lookAtApiKeys(trx, idIn(answer, 'paymasterId'))),
    }),
  },
  updatePaymaster: atPaymaster,
  retirePaymaster: atPaymaster,
  listPaymasters: 'reads',
  listChains: 'reads',
  listApiKeys: 'reads',
  createApiKey: atApiKeys,
  updateApiKey: atApiKeys,
  rotateApiKey: atApiKeys,
  endApiKey: atApiKeys,
  createTicketKey: atTicketKeys,
  listTicketKeys: 'reads',
  deleteTicketKey: atTicketKeys,
  createFundingMessage: { needs: funds, look: (trx, { paymasterId }) => lookAtFundingMessage(trx, paymasterId) },
  setFundingWallet: {
    needs: funds,
    look: async (trx, { paymasterId }) => ({
      ...(await lookAtPaymaster(trx, paymasterId)),
      ...(await lookAtFundingMessage(trx, paymasterId)),
    }),
  },

  readPolicy: 'reads',
  setPolicy: {
    needs: manage,
    alsoNeeds: scopesToPutPolicy,
    look: (trx, { paymasterId }) => lookAtPolicy(trx, paymasterId),
  },
  previewPolicy: 'reads',
  createPolicy: {
    needs: manage,
    alsoNeeds: scopesToPutPolicy,
    look: (trx, _, answer) => lookAtNamedPolicy(trx, idIn(answer, 'policyId')),
  },
  listPolicies: 'reads',
  readNamedPolicy: 'reads',
  replacePolicy: atNamedPolicy,
  deletePolicy: atNamedPolicy,

  registerContract: atContract,
  listContracts: 'reads',
  updateContract: atContract,
  deleteContract: atContract,
  fetchContractAbi: 'reads',

  createWebhook: atWebhooks,
  listWebhooks: 'reads',
  updateWebhook: atWebhooks,
  deleteWebhook: atWebhooks,
  readWebhookSecret: 'reads',
  rotateWebhookSecret: atWebhooks,
  listAccountWebhooks: 'reads',
  testWebhook: 'reads',
  listWebhookAnswers: 'reads',

  createNotification: atNotifications,
  listNotifications: 'reads',
  updateNotification: atNotifications,
  deleteNotification: atNotifications,
  readNotificationSecret: 'reads',
  rotateNotificationSecret: atNotifications,
  listNotificationDeliveries: 'reads',
  redeliverNotification: { needs: manage, look: (trx, { deliveryId }) => lookAtDelivery(trx, deliveryId) },
  sendTestNotification: { needs: manage, look: (trx, _, answer) => lookAtDelivery(trx, idIn(answer, 'deliveryId')) },

  getFeeQuoteOrData: 'reads',
  sponsorUserOperation: 'reads',
  getPaymasterStubData: 'reads',
  getPaymasterData: 'reads',
  quoteTokenRates: 'reads',
  listSupportedTokens: 'reads',
  listEntryPoints: 'reads',
  describePaymaster: 'reads',
  validatePolicies: 'reads',
  getAllowance: 'reads',

  listDecisions: 'reads',
  readDecision: 'reads',
  explainSponsorship: 'reads',
  readUsage: 'reads',

  readGasTank: 'reads',
  listGasTankEntries: 'reads',
  listGasTankDays: 'reads',
  readGasTankStatement: 'reads',
  adjustTank: { needs: 'operator', look: (trx, { paymasterId }) => lookAtTanks(trx, paymasterId) },
  checkLedger: 'reads',
  rewindLedger: { needs: 'operator', look: (trx, { chainId }) => lookAtWatches(trx, chainId) },
  listOpenHolds: 'reads',
  releaseHold: { needs: 'operator', look: (trx, { holdId }) => lookAtHold(trx, holdId) },
  readLedgerStandings: 'reads',
  readSigners: 'reads',
  readFigures: 'reads',
  shareLimits: 'reads',
};
