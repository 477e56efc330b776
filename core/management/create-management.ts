import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { Caller } from '../domain/access/actor.ts';
import type { Core, NamesIn } from '../domain/core.ts';
import type { CoreConfig } from '../domain/core-config.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { AskContractWallet } from '../domain/sign-in.ts';
import type { NoteUse } from '../paymasters/key-rates.ts';
import { findApiKey } from '../paymasters/key-settings.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import type { CoinPrice } from '../policies/worth-usd.ts';
import { createKeyedDigest } from '../store/keyed-digest.ts';
import { ownsPaymaster } from '../store/own-paymaster.ts';
import { createSecretBox } from '../store/secret-box.ts';
import type { Store } from '../store/store.ts';
import { createFindAuthToken, type FindAuthToken } from './accounts/find-auth-token.ts';
import { createFindSession, type FindSession } from './accounts/find-session.ts';
import { manageAccounts, markOperators } from './accounts/manage-accounts.ts';
import { manageAuthTokens } from './accounts/manage-auth-tokens.ts';
import { manageMembers } from './accounts/manage-members.ts';
import { auditedStore, recordOperations } from './audit-log/audited-store.ts';
import { readAuditLog } from './audit-log/read-audit-log.ts';
import { type HasCode, manageContracts } from './contracts/manage-contracts.ts';
import { createFundingMessage, setFundingWallet } from './funding/funding-wallet.ts';
import { manageBudgets } from './manage-budgets.ts';
import { manageNotificationSecrets, manageWebhookSecrets } from './manage-signing-secrets.ts';
import { manageTicketKeys } from './manage-ticket-keys.ts';
import { listMemberships } from './membership.ts';
import { manageNotificationDeliveries } from './notifications/manage-notification-deliveries.ts';
import { manageNotifications } from './notifications/manage-notifications.ts';
import { manageApiKeys } from './paymasters/manage-api-keys.ts';
import { managePaymasterStates, managePaymasters, type SuggestedMaxCost } from './paymasters/manage-paymasters.ts';
import { manageNamedPolicies } from './policies/manage-named-policies.ts';
import { managePolicies } from './policies/manage-policies.ts';
import { createReadPolicyUse } from './policies/read-policy-use.ts';
import { manageOpenSessions } from './sign-in/manage-open-sessions.ts';
import { manageSessions, switchAccount } from './sign-in/manage-sessions.ts';
import { manageWebhooks } from './webhooks/manage-webhooks.ts';

/** The part of `Core` behind the management API. */
export type Management = Omit<
  Core,
  | NamesIn<'bundler' | 'decision' | 'ledger' | 'status' | 'sponsorship'>
  | 'status'
  | 'fetchContractAbi'
  | 'listWebhookAnswers'
  | 'testWebhook'
>;

/**
 * Builds the operations of `Core` behind the management API. They notify `profiles` of every change that affects a
 * sponsorship, and record it in the audit log.
 */
export function createManagement(parts: {
  store: Store;
  profiles: SponsorProfiles;
  config: CoreConfig;
  clock: Clock;
  coinPrice: CoinPrice;
  /** Without it no contract wallet is accepted. */
  askContractWallet?: AskContractWallet;
  /** Without it nothing is said of contracts that are not on their chain. */
  hasCode?: HasCode;
  /** Called when authTokens and sessions are used. */
  noteUse?: NoteUse;
  /** Writes the decisions that wait, before they are read. */
  flushDecisions?: () => Promise<void>;
  /** Caps the cost of one operation of new paymasters; they have no cap when absent. */
  suggestedMaxCost?: SuggestedMaxCost;
}): Management {
  const { profiles, config, clock, coinPrice, noteUse = () => undefined, flushDecisions } = parts;
  const askContractWallet = parts.askContractWallet ?? (async () => accept(undefined));
  const store = auditedStore(parts.store, clock);
  const { chains, masterKey, previousMasterKeys = [], signUp = 'closed' } = config;
  const box = createSecretBox(masterKey, previousMasterKeys);
  const digestAuthToken = createKeyedDigest(masterKey, 'auth-token-digest');
  const digestApiKey = createKeyedDigest(masterKey, 'api-key-digest');
  const formerDigests = previousMasterKeys.map((key) => createKeyedDigest(key, 'api-key-digest'));
  const digestsOfApiKey = (apiKey: string) => [digestApiKey, ...formerDigests].map((digest) => digest(apiKey));
  const digestSession = createKeyedDigest(masterKey, 'session-digest');
  // Credentials are looked up by key, before it is known whose turn it is.
  const looking = { store: parts.store, clock };
  const findAuthToken = createFindAuthToken({ ...looking, digestAuthToken, box, noteUse });
  const findSession = createFindSession({ ...looking, digestSession, noteUse });
  const operations: Management = {
    ...manageAccounts({ store, clock }),
    ...manageAuthTokens({ store, clock, digest: digestAuthToken }),
    listAuditLog: (input) => readAuditLog(store, input),
    ...createAuthenticate({ ...looking, findAuthToken, findSession, digestsOfApiKey }),
    ...manageSessions({
      store,
      clock,
      signUp,
      askContractWallet,
      findAuthToken,
      findSession,
      digestSession,
      digestNonce: createKeyedDigest(masterKey, 'sign-in-nonce'),
      digestClient: createKeyedDigest(masterKey, 'client-address-digest'),
    }),
    ...manageOpenSessions({ store, clock, digestSession }),
    ...manageMembers({ store, clock }),
    listMemberships: listMemberships(store),
    switchAccount: switchAccount({ store, clock, signUp, findSession, digestSession }),
    ...manageBudgets({ store, clock }),
    ...managePaymasters({ store, clock, chains, box, digestApiKey, suggestedMaxCost: parts.suggestedMaxCost }),
    ...managePaymasterStates({ store, clock, profiles, box }),
    ...manageApiKeys({ store, clock, profiles, box, digestApiKey }),
    ...manageContracts({ store, clock, profiles, ...omitAbsent({ hasCode: parts.hasCode }) }),
    ...manageWebhooks({ store, clock, profiles, config: config.webhooks, box }),
    ...manageWebhookSecrets({ store, profiles, box }),
    ...manageNotifications({ store, clock, config: config.webhooks, box }),
    ...manageNotificationSecrets({ store, box }),
    ...manageNotificationDeliveries({ store, clock }),
    ...manageTicketKeys({ store, clock, profiles, config: config.webhooks, box }),
    ...createReadPolicyUse(store, clock),
    ...managePolicies({ store, profiles, clock, coinPrice, config, ...omitAbsent({ flushDecisions }) }),
    ...manageNamedPolicies({ store, profiles, clock, coinPrice, config }),
    createFundingMessage: (owned) => createFundingMessage({ store, clock, chains }, owned),
    setFundingWallet: (input) => setFundingWallet({ store, clock, profiles, box, askContractWallet }, input),
  };
  return recordOperations(markOperators(operations, config.operators));
}

/**
 * `Core.authenticate` and `Core.authenticateSession`. All rejected authTokens and sessions get the same answer; so do
 * apiKeys that are malformed, unknown or another account's. ApiKeys are also looked up by keyed digest.
 */
function createAuthenticate(parts: {
  store: Store;
  clock: Clock;
  findAuthToken: FindAuthToken;
  findSession: FindSession;
  digestsOfApiKey: (apiKey: string) => readonly string[];
}): Pick<Core, 'authenticate' | 'authenticateSession'> {
  const { store, clock, findAuthToken, findSession, digestsOfApiKey } = parts;

  async function toCaller(account: Caller | undefined, apiKey: string | undefined): Promise<Result<Caller>> {
    if (account === undefined) {
      const message =
        apiKey === undefined
          ? 'Auth token is required in the headers'
          : 'Auth token and API key is required in the headers';
      return refuse({ reason: 'UNAUTHENTICATED', message });
    }
    if (apiKey === undefined) return accept(account);
    const key = await findApiKey(store.db, { digests: digestsOfApiKey(apiKey), now: unixSeconds(clock) });
    if (key === undefined || !(await ownsPaymaster(store.db, { ...account, paymasterId: key.paymasterId }))) {
      return refuse({
        reason: 'API_KEY_NOT_ACCEPTED',
        message: 'Auth token and API key is required in the headers',
      });
    }
    return accept({ ...account, paymasterId: key.paymasterId });
  }

  return {
    async authenticate({ authToken, apiKey }) {
      const found = await findAuthToken(authToken);
      if (found === undefined) return toCaller(undefined, apiKey);
      const { accountId, authTokenId, scopes } = found;
      return toCaller({ accountId, authTokenId, scopes }, apiKey);
    },
    async authenticateSession({ session, apiKey }) {
      const found = await findSession(session);
      if (found === undefined) return toCaller(undefined, apiKey);
      const { accountId, sessionId, wallet, chainId, scopes } = found;
      const signedIn = omitAbsent({ wallet: wallet ?? undefined, chainId: chainId ?? undefined });
      return toCaller({ accountId, sessionId, scopes, ...signedIn }, apiKey);
    },
  };
}
