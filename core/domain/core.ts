import type { Address, Hex } from 'viem';
import type { AuditLogFilter, AuditLogPage } from './access/audit-log.ts';
import type { Scope } from './access/scope.ts';
import type { Account, AuthTokenRecord } from './account.ts';
import type { Decision, DecisionFilter, DecisionMethod, DecisionPage, Explanation } from './decision.ts';
import type { Figure } from './figures/figure.ts';
import type { GasTank, GasTankEntry, TankAdjustmentKind } from './gas-tank.ts';
import type { ApiKeyRules } from './keys/api-key-rules.ts';
import type { LedgerReport, LedgerStanding } from './ledger/ledger-report.ts';
import type { LedgerRewind } from './ledger/ledger-rewind.ts';
import type { OpenHold, ReleasedHold } from './ledger/open-hold.ts';
import type { GasTankDay, GasTankStatement } from './ledger/tank-statement.ts';
import type { DeliveryFilter, DeliveryPage, Notification, NotificationDelivery, TankLowRule } from './notification.ts';
import type { ApiKeyRecord, ApiKeySettings, NewApiKey, Paymaster, ServedChain } from './paymaster.ts';
import type {
  FinalPaymasterData,
  PaymasterDataRequest,
  PaymasterDescription,
  PaymasterKey,
  PaymasterStub,
  SponsoringPolicy,
  SupportedToken,
  TokenRateQuote,
} from './paymaster-data.ts';
import type { NamedPolicy, PolicyHead } from './policies/named-policy.ts';
import type { Policy } from './policy.ts';
import type { PolicyPreview } from './policy-preview.ts';
import type { Result } from './result/result.ts';
import type { LimitLevel, LimitUse } from './sharing/limit-use.ts';
import type { Identity, NewSession, SessionRecord, SignInNonce, SignUpMode } from './sign-in.ts';
import type { ContractSigner } from './signing/contract-signer.ts';
import type { FetchedAbi, SmartContract } from './smart-contract.ts';
import type { SignedPaymasterData, SponsorshipContext, SponsorshipRequest, TokenQuotes } from './sponsorship.ts';
import type { Allowance, AllowanceOwner } from './tickets/allowance.ts';
import type { NewTicketKey, TicketKey, TicketKeyInput } from './tickets/ticket-key.ts';
import type { DayQuery } from './time/utc-days.ts';
import type { UsageQuery, UsageRow } from './usage.ts';
import type { RawUserOperation } from './user-operation.ts';
import type { Webhook, WebhookAnswer, WebhookAnswerPage, WebhookPage } from './webhook.ts';

/**
 * Who calls: an account, and the paymaster its apiKey names where the call carries one. With them what was shown: the id of
 * an authToken, or that of a session with the wallet that signed in for it.
 */
export type Caller = {
  readonly accountId: string;
  readonly paymasterId?: string;
  readonly authTokenId?: string;
  readonly sessionId?: string;
  readonly wallet?: Address;
  /** What the call may. Absent: nothing. */
  readonly scopes?: readonly Scope[];
};

/** A paymaster and the account it must belong to. Every query is bound to both. */
export type Owned = { readonly accountId: string; readonly paymasterId: string };

/**
 * One part of the service, for `/readyz` and gRPC health. The rest goes on without an `optional` one: one chain of
 * several, one paymaster contract.
 */
export type PartStatus = {
  readonly part: string;
  readonly ready: boolean;
  readonly detail: string;
  readonly optional?: true;
};

/**
 * All the service can do, in domain types. There are two handles: the local one (`local.ts`) and the same over gRPC
 * (`grpc/client.ts`). Refusals are data; a rejected promise is a bug or a broken transport.
 */
export type Core = {
  createAccount(input: { name: string }): Promise<Result<Account>>;
  listAccounts(): Promise<Result<readonly Account[]>>;
  /** An account that the holder of the wallet has by signing in, also before anybody does. `WALLET_TAKEN`; the operator's alone. */
  inviteAccount(input: { wallet: string; name?: string }): Promise<Result<Account>>;
  /**
   * Lets a wallet sign in to an account, in the place of the one before, whose sessions end. `WALLET_TAKEN` where it is
   * another account's; the operator's alone.
   */
  linkWallet(input: { accountId: string; wallet: string }): Promise<Result<Account>>;
  /**
   * Closes an account's management to its holder, sessions included, or opens it again. What its paymasters sponsor does not
   * change. The operator's alone.
   */
  suspendAccount(input: { accountId: string; suspended: boolean }): Promise<Result<Account>>;
  /**
   * `expiresAt` in Unix seconds. The token is in this answer and never again. Whoever asks with an authToken, or a session that
   * began with one, can give no scope that it lacks (`SCOPE_MISSING`) and no later end; what is not given is as it has it.
   */
  issueAuthToken(input: {
    accountId: string;
    name: string;
    expiresAt?: number;
    scopes?: readonly string[];
  }): Promise<Result<{ authToken: string; record: AuthTokenRecord }>>;
  listAuthTokens(input: { accountId: string }): Promise<Result<readonly AuthTokenRecord[]>>;
  /** `SCOPE_MISSING` where it has a scope that whoever asks has not. */
  revokeAuthToken(input: { accountId: string; authTokenId: string }): Promise<Result<AuthTokenRecord>>;

  /** Changes that were made at the account, the newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listAuditLog(input: {
    accountId: string;
    filter: AuditLogFilter;
    cursor?: string;
    limit?: number;
  }): Promise<Result<AuditLogPage>>;

  /**
   * Accepts an authToken and, where given, an apiKey of the same account. `UNAUTHENTICATED` when the token is not
   * accepted, `API_KEY_NOT_ACCEPTED` when the token is and the apiKey is not.
   */
  authenticate(input: { authToken: string; apiKey?: string }): Promise<Result<Caller>>;

  /** Who gets an account by signing in. */
  readSignUp(): Promise<Result<{ signUp: SignUpMode }>>;
  /** A nonce for a message to sign in with. Nothing is kept of it until it is used. */
  createSignInNonce(): Promise<Result<SignInNonce>>;
  /**
   * Begins a session with a signed EIP-4361 message for `origin` (`https://gas.example.org`), and makes the account of a new
   * wallet where that is allowed. `client` is the address that asks, so that what one makes can be bounded.
   */
  signInWithWallet(input: {
    message: string;
    signature: string;
    origin: string;
    client: string;
  }): Promise<Result<NewSession>>;
  /** Begins a session that ends with the authToken, `AUTH_TOKEN_NOT_ACCEPTED` without a right one. */
  signInWithAuthToken(input: { authToken: string }): Promise<Result<NewSession>>;
  /** {@link Core.authenticate} with the secret of a session in the place of the authToken. */
  authenticateSession(input: { session: string; apiKey?: string }): Promise<Result<Caller>>;
  /** Whose a session or an authToken is, `UNAUTHENTICATED` without a right one. One of the two is given. */
  readIdentity(input: { session?: string; authToken?: string }): Promise<Result<Identity>>;
  /** Ends a session at once, `SESSION_NOT_FOUND` where there is none. */
  endSession(input: { session: string }): Promise<Result<Caller>>;
  /** The account's sessions that have not ended, the newest first. `session` is the secret of the one that asks. */
  listSessions(input: { accountId: string; session?: string }): Promise<Result<readonly SessionRecord[]>>;
  /** Ends a session of the account by its id, `SESSION_NOT_FOUND` where it has none such. */
  revokeSession(input: { accountId: string; sessionId: string }): Promise<Result<Caller>>;
  /** Ends all sessions of the account, that of the one who asks too. */
  revokeAllSessions(input: { accountId: string }): Promise<Result<Caller>>;

  createPaymaster(input: {
    accountId: string;
    name: string;
    type: string;
    chainId: number;
    version: string;
  }): Promise<Result<Paymaster>>;
  listPaymasters(input: { accountId: string }): Promise<Result<readonly Paymaster[]>>;
  /** Renames a paymaster, or lets it answer nothing until it is resumed. `PAYMASTER_NAME_EXISTS`. */
  updatePaymaster(input: Owned & { name?: string; paused?: boolean }): Promise<Result<Paymaster>>;
  /**
   * Ends a paymaster for good: its other keys end, nothing is signed and nothing of it is changed any more. Books, statements
   * and decisions stay, and what was signed may still land. `name` is its own, so that no other is meant.
   */
  retirePaymaster(input: Owned & { name: string }): Promise<Result<Paymaster>>;
  /** The configured chains, whether they answer now or not. */
  listChains(): Promise<Result<readonly ServedChain[]>>;
  /** The apiKeys of the paymaster that have not ended: its own first, of each key the newest first. */
  listApiKeys(input: Owned): Promise<Result<readonly ApiKeyRecord[]>>;
  /** Makes one more apiKey beside those there are, shown here and never again. `API_KEY_NAME_EXISTS`, `TOO_MANY_API_KEYS`. */
  createApiKey(input: Owned & { name: string; rules?: ApiKeyRules }): Promise<Result<NewApiKey>>;
  /** Changes what is given of a key, and of those it replaces: what is sponsored with it from now on follows that. */
  updateApiKey(input: Owned & { apiKeyId: string } & Partial<ApiKeySettings>): Promise<Result<ApiKeyRecord>>;
  /**
   * Makes a new apiKey in the place of one, of the paymaster's own without an id; those before it are accepted for
   * `graceSeconds` more and no longer, with 0 no more at all. `TOO_MANY_API_KEYS` when too many would be accepted at the same
   * time.
   */
  rotateApiKey(input: Owned & { graceSeconds: number; apiKeyId?: string }): Promise<Result<NewApiKey>>;
  /**
   * Ends an apiKey at once, with those it has replaced. `API_KEY_NOT_FOUND`; `INVALID_FIELD` for the newest of the
   * paymaster's own, which is to be replaced.
   */
  endApiKey(input: Owned & { apiKeyId: string }): Promise<Result<ApiKeyRecord>>;

  registerContract(
    input: Owned & { name: string; address: string; abi: string; whitelistedMethods?: readonly string[] },
  ): Promise<Result<SmartContract>>;
  listContracts(input: Owned): Promise<Result<readonly SmartContract[]>>;
  updateContract(
    input: Owned & { address: string; whitelistedMethods: readonly string[] },
  ): Promise<Result<SmartContract>>;
  deleteContract(input: Owned & { address: string }): Promise<Result<SmartContract>>;

  /**
   * Asks the explorer of the paymaster's chain for a contract's ABI, and registers nothing. `EXPLORER_NOT_SET_UP`;
   * `ABI_NOT_VERIFIED` where the explorer has none, `EXPLORER_UNAVAILABLE` where it does not answer as it should.
   */
  fetchContractAbi(input: Owned & { address: string }): Promise<Result<FetchedAbi>>;

  /** Makes or takes a key that signs tickets. What is secret of it is in this answer and never again. */
  createTicketKey(input: Owned & TicketKeyInput): Promise<Result<NewTicketKey>>;
  /** In the order they were made. */
  listTicketKeys(input: Owned): Promise<Result<readonly TicketKey[]>>;
  /** Its tickets are not taken from then on. `TICKET_KEY_NOT_FOUND`. */
  deleteTicketKey(input: Owned & { ticketKeyId: string }): Promise<Result<TicketKey>>;

  createWebhook(input: Owned & { webhookUrl: string; requestType: string }): Promise<Result<Webhook>>;
  /** All webhooks of the paymaster, or the one with the id; an unknown id gives an empty list. */
  listWebhooks(input: Owned & { webhookId?: string }): Promise<Result<readonly Webhook[]>>;
  /** Webhooks of all paymasters of the account, or of one of them, the oldest first: 1 to 200 (50 by default), from `cursor` on. */
  listAccountWebhooks(input: {
    accountId: string;
    paymasterId?: string;
    cursor?: string;
    limit?: number;
  }): Promise<Result<WebhookPage>>;
  updateWebhook(input: Owned & { webhookId: string; active: boolean }): Promise<Result<Webhook>>;
  deleteWebhook(input: Owned & { webhookId: string }): Promise<Result<Webhook>>;
  /** The secret that signs this webhook's callbacks (Standard Webhooks form, `whsec_…`). */
  readWebhookSecret(input: Owned & { webhookId: string }): Promise<Result<{ secret: string }>>;
  rotateWebhookSecret(input: Owned & { webhookId: string }): Promise<Result<{ secret: string }>>;
  /** Asks a webhook with data that says it is a test, also an inactive one. Its answer goes into its log and nowhere else. */
  testWebhook(input: Owned & { webhookId: string }): Promise<Result<WebhookAnswer>>;
  /** What a webhook answered, newest first: 1 to 200 (50 by default) of the last 200, from `cursor` on. */
  listWebhookAnswers(
    input: Owned & { webhookId: string; cursor?: string; limit?: number },
  ): Promise<Result<WebhookAnswerPage>>;

  /** A new message to sign with the key of the future funding wallet; it replaces the one before. */
  createFundingMessage(input: Owned): Promise<Result<{ fundingMessage: string }>>;
  setFundingWallet(input: Owned & { signature: Hex | string; address: Address | string }): Promise<Result<Paymaster>>;

  /** The paymaster's policy; the default one (fail closed, no limits) while none is set. */
  readPolicy(input: Owned): Promise<Result<Policy>>;
  /** Puts the policy in the place of the one before. `INVALID_FIELD` when it is out of bounds or contradicts itself. */
  setPolicy(input: Owned & { policy: Policy }): Promise<Result<Policy>>;
  /**
   * Decides the last decisions (1 to 1,000, 100 by default) by the default policy, or the named one, again with a policy that is
   * not set. Changes nothing.
   */
  previewPolicy(input: Owned & { policy: Policy; policyId?: string; last?: number }): Promise<Result<PolicyPreview>>;
  /**
   * A policy beside the default one, which requests choose by its id. `POLICY_NAME_EXISTS`; `TOO_MANY_POLICIES` when the
   * paymaster has as many as it can have.
   */
  createPolicy(input: Owned & { head: PolicyHead; policy: Policy }): Promise<Result<NamedPolicy>>;
  /** The named policies of the paymaster, by name. */
  listPolicies(input: Owned): Promise<Result<readonly NamedPolicy[]>>;
  /** `POLICY_NOT_FOUND` for another paymaster's too. */
  readNamedPolicy(input: Owned & { policyId: string }): Promise<Result<NamedPolicy>>;
  /** Puts a head and a policy in the place of those before. */
  replacePolicy(input: Owned & { policyId: string; head: PolicyHead; policy: Policy }): Promise<Result<NamedPolicy>>;
  /** Requests that name it are refused from then on, also those that are being decided. */
  deletePolicy(input: Owned & { policyId: string }): Promise<Result<NamedPolicy>>;

  /** What was decided for the paymaster, newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listDecisions(
    input: Owned & { filter: DecisionFilter; cursor?: string; limit?: number },
  ): Promise<Result<DecisionPage>>;
  /** `DECISION_NOT_FOUND` for another paymaster's too, and once it is pruned. */
  readDecision(input: Owned & { decisionId: string }): Promise<Result<Decision>>;
  /**
   * What the request would be answered now, and why. Holds and signs nothing; asks the webhooks only with `askWebhooks`,
   * else takes them to agree. `entryPoint` goes with the two methods of ERC-7677. `API_KEY_NOT_FOUND`.
   */
  explainSponsorship(
    input: Owned & {
      method: DecisionMethod;
      userOperation: RawUserOperation;
      context: SponsorshipContext;
      entryPoint?: string;
      askWebhooks: boolean;
      /** Whom to explain it to: who holds this apiKey, else the paymaster's own. */
      apiKeyId?: string;
      /** From where; what is not given is taken to be allowed. */
      origin?: string;
      address?: string;
    },
  ): Promise<Result<Explanation>>;
  /** What was decided and spent, told apart by one thing. The last 30 days when no days are given; at most 366. */
  readUsage(input: Owned & UsageQuery): Promise<Result<readonly UsageRow[]>>;

  /**
   * A URL to tell about events of the paymaster, active at once; `events` are those of `notificationEvents`.
   * `INVALID_FIELD` for anything else, also for `tank.low` without `tankLow`.
   */
  createNotification(
    input: Owned & { url: string; events: readonly string[]; tankLow?: TankLowRule },
  ): Promise<Result<Notification>>;
  listNotifications(input: Owned): Promise<Result<readonly Notification[]>>;
  /** Changes what is given. A new `tankLow` is told again if the tank is low by it. */
  updateNotification(
    input: Owned & { notificationId: string; active?: boolean; events?: readonly string[]; tankLow?: TankLowRule },
  ): Promise<Result<Notification>>;
  /** Forgets the destination and its log. */
  deleteNotification(input: Owned & { notificationId: string }): Promise<Result<Notification>>;
  /** The secret that signs this destination's messages (Standard Webhooks form, `whsec_…`). */
  readNotificationSecret(input: Owned & { notificationId: string }): Promise<Result<{ secret: string }>>;
  rotateNotificationSecret(input: Owned & { notificationId: string }): Promise<Result<{ secret: string }>>;
  /** What was sent or is to be sent, newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listNotificationDeliveries(
    input: Owned & { filter: DeliveryFilter; cursor?: string; limit?: number },
  ): Promise<Result<DeliveryPage>>;
  /** Sends a message again, whatever became of it, with the whole schedule before it. */
  redeliverNotification(input: Owned & { deliveryId: string }): Promise<Result<NotificationDelivery>>;
  /** Sends a message of type `test`, also to an inactive destination. */
  sendTestNotification(input: Owned & { notificationId: string }): Promise<Result<NotificationDelivery>>;

  /** `pm_getFeeQuoteOrData` (interface 4.5). */
  getFeeQuoteOrData(request: SponsorshipRequest): Promise<Result<SignedPaymasterData | TokenQuotes>>;
  /** `pm_sponsorUserOperation` in the interface's form: both modes, `mode` required. */
  sponsorUserOperation(request: SponsorshipRequest): Promise<Result<SignedPaymasterData>>;

  /** `pm_getPaymasterStubData` (ERC-7677). Refuses what can be refused now; asks no webhook, holds and signs nothing. */
  getPaymasterStubData(request: PaymasterDataRequest): Promise<Result<PaymasterStub>>;
  /**
   * `pm_getPaymasterData` (ERC-7677). Signs the gas limits of the operation; when they are all 0 and
   * `calculateGasLimits` is true, those that it estimates.
   */
  getPaymasterData(request: PaymasterDataRequest): Promise<Result<FinalPaymasterData>>;
  /**
   * `pm_validateSponsorshipPolicies`: which of some policies (10 at most) would sponsor the operation now, with estimated limits
   * and webhooks that agree. Holds, signs and records nothing.
   */
  validatePolicies(
    request: PaymasterKey & { userOperation: RawUserOperation; entryPoint: string; policyIds: readonly string[] },
  ): Promise<Result<readonly SponsoringPolicy[]>>;
  /** `pimlico_getTokenQuotes`: tokens that are not taken, or have no price now, are left out. */
  quoteTokenRates(
    request: PaymasterKey & { entryPoint: string; tokens: readonly string[] },
  ): Promise<Result<readonly TokenRateQuote[]>>;
  /** The tokens a paymaster takes; none for one that only sponsors. */
  /** `tollfree_getAllowance`: what is left in each limit for a ticket, a sender or both; one of them has to be there. */
  getAllowance(request: PaymasterKey & AllowanceOwner): Promise<Result<Allowance>>;
  listSupportedTokens(request: PaymasterKey): Promise<Result<readonly SupportedToken[]>>;
  /** Addresses of the EntryPoints a paymaster works with. */
  listEntryPoints(request: PaymasterKey): Promise<Result<readonly Address[]>>;
  /** `pm_supportedERC20Tokens`: name, tokens with their prices, and a stub, before there is an operation. */
  describePaymaster(request: PaymasterKey & { entryPoint: string }): Promise<Result<PaymasterDescription>>;

  /**
   * The paymaster's gas tank; an empty one while it has no funding wallet. `PAYMASTER_CHAIN_NOT_SUPPORTED` and
   * `PAYMASTER_VERSION_NOT_SUPPORTED` when its books are no longer kept.
   */
  readGasTank(input: Owned): Promise<Result<GasTank>>;
  /** The tank's entries, newest first: 1 to 200 of them (50 by default), those before `beforeEntryId` where given. */
  listGasTankEntries(
    input: Owned & { beforeEntryId?: number; limit?: number },
  ): Promise<Result<readonly GasTankEntry[]>>;
  /** The tank day by day. The last 30 days when no days are given; at most 366. Empty without a funding wallet. */
  listGasTankDays(input: Owned & DayQuery): Promise<Result<readonly GasTankDay[]>>;
  /** What became of the paymaster's tanks in a UTC month (`YYYY-MM`), the present one when none is given. */
  readGasTankStatement(input: Owned & { month?: string }): Promise<Result<GasTankStatement>>;
  /**
   * Credits or debits a paymaster's tank by hand, `amount` in wei; the operator's alone. `INSUFFICIENT_FUNDS` when a debit
   * asks for more than is neither spent nor held. `reason`: 1 to 200 printable characters, they stand in the books.
   * `forTransaction`: the transaction of the deposits of no tank that a credit stands for, or for which a debit takes a
   * credit back; `INVALID_FIELD` where less than `amount` of them is open.
   */
  adjustTank(input: {
    paymasterId: string;
    kind: TankAdjustmentKind;
    amount: bigint;
    reason: string;
    forTransaction?: Hex;
  }): Promise<Result<GasTank>>;
  /**
   * Every paymaster contract's books beside the chain; the operator's alone. `CHAIN_UNAVAILABLE` when a node does not
   * answer. The rows of the books are added up that are new since the last time, with `allRows` all of them.
   */
  checkLedger(input: { allRows: boolean }): Promise<Result<readonly LedgerReport[]>>;
  /**
   * Takes the books of a chain back to a block, which stays the last one in them; what follows is read again. The operator's
   * alone. Answers for each contract that had come further. `INVALID_FIELD` for a chain that is not configured, and for a
   * block that the chain does not have yet or that lies further back than the books can.
   */
  rewindLedger(input: { chainId: number; block: bigint }): Promise<Result<readonly LedgerRewind[]>>;
  /**
   * What is set aside on a chain for signatures that may land, the oldest first, those after `afterHoldId` where given: 1 to
   * 200 (50 by default); the operator's alone. `INVALID_FIELD` for a chain that is not configured.
   */
  listOpenHolds(input: {
    chainId: number;
    sender?: Address | string;
    afterHoldId?: number;
    limit?: number;
  }): Promise<Result<readonly OpenHold[]>>;
  /**
   * Releases a hold where books and chain show that nothing can land under it any more; the operator's alone.
   * `INVALID_FIELD` says why not, and when it will be so; `CHAIN_UNAVAILABLE` while not every node of the chain answers and
   * agrees with the books. `reason`: 1 to 200 printable characters, they stand in the books.
   */
  releaseHold(input: { chainId: number; holdId: number; reason: string }): Promise<Result<ReleasedHold>>;
  /** The kept sums of every paymaster contract beside the chain, without adding up the books; the operator's alone. */
  readLedgerStandings(): Promise<Result<readonly LedgerStanding[]>>;

  /** The keys of each paymaster contract: where they are, whether it accepts them, which signs; the operator's alone. */
  readSigners(): Promise<Result<readonly ContractSigner[]>>;
  /** What the service counts and measures of itself; the operator's alone. Figures that cannot be had now are left out. */
  readFigures(): Promise<Result<readonly Figure[]>>;

  /**
   * Counts what a gateway has let through towards limits that hold for all gateways together, and answers what each has come
   * to, in the order of `uses` (1,000 at most).
   */
  shareLimits(input: { uses: readonly LimitUse[] }): Promise<Result<readonly LimitLevel[]>>;

  /** What is ready and what is not. Never refuses. */
  status(): Promise<readonly PartStatus[]>;
};
