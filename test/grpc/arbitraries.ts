import fc from 'fast-check';
import { type Metric, metricKinds, sampleSuffixes } from '../../core/base/metrics/metric.ts';
import { type AuditLogEntry, authorKinds } from '../../core/domain/access/audit-log.ts';
import type { Member, Membership } from '../../core/domain/access/member.ts';
import { roles } from '../../core/domain/access/role.ts';
import { scopes } from '../../core/domain/access/scope.ts';
import type { Account, AuthTokenRecord } from '../../core/domain/account.ts';
import { type Budget, type BudgetTerms, budgetWindows } from '../../core/domain/budgets/budget.ts';
import { bundledStatuses, operationViews } from '../../core/domain/bundling.ts';
import type { DecisionFilter } from '../../core/domain/decision.ts';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { GasTank, GasTankEntry, StrayDeposit } from '../../core/domain/gas-tank.ts';
import type { ApiKeyRules } from '../../core/domain/keys/api-key-rules.ts';
import type { LedgerReport, LedgerStanding } from '../../core/domain/ledger/ledger-report.ts';
import type { OpenHold } from '../../core/domain/ledger/open-hold.ts';
import type { GasTankStatement } from '../../core/domain/ledger/tank-statement.ts';
import {
  type DeliveryFilter,
  deliveryStates,
  type Notification,
  type NotificationDelivery,
  notificationEvents,
  notificationTypes,
  type TankLowRule,
} from '../../core/domain/notification.ts';
import type { ApiKeyRecord, Paymaster, ServedChain } from '../../core/domain/paymaster.ts';
import { limitUnits, limitWindows } from '../../core/domain/policy.ts';
import {
  limitKinds,
  managementReasons,
  type Refusal,
  type RefusalKind,
  sponsorshipReasons,
} from '../../core/domain/result/refusal.ts';
import { type Identity, type SessionRecord, signUpModes } from '../../core/domain/sign-in.ts';
import { type ContractSigner, contractSignerStates, keyKinds } from '../../core/domain/signing/contract-signer.ts';
import type { SmartContract } from '../../core/domain/smart-contract.ts';
import { type TicketKey, ticketKeyKinds } from '../../core/domain/tickets/ticket-key.ts';
import {
  failureWindows,
  type Webhook,
  type WebhookAnswer,
  webhookFailureModes,
  webhookPayloads,
  webhookVerdicts,
} from '../../core/domain/webhook.ts';
import type { Input, OperationName, Value } from '../../core/grpc/operation-types.ts';
import {
  address,
  amount,
  chainId,
  complete,
  hex,
  json,
  optional,
  text,
  texts,
  time,
  withOptional,
} from './arbitrary-values.ts';
import {
  decision,
  decisionMethod,
  decisionOutcome,
  dimension,
  explanation,
  operationLife,
  operationStatus,
  sponsorshipMode,
  usageRow,
} from './decision-arbitraries.ts';
import { namedPolicy, policy, policyHead, policyPreview, sponsoringPolicy } from './policy-arbitraries.ts';
import {
  arrival,
  description,
  paymasterDataRequest,
  quotes,
  request,
  signed,
  stub,
  tokenRate,
  userOperation,
} from './sponsorship-arbitraries.ts';

const scopeList = fc.subarray([...scopes]);
const account: fc.Arbitrary<Account> = withOptional(
  { accountId: text, name: text, createdAt: time },
  { wallet: address, invited: fc.constant(true as const), suspendedAt: time },
);
const auditLogEntry: fc.Arbitrary<AuditLogEntry> = withOptional(
  {
    ...{ entryId: text, changedAt: time, operation: text, author: fc.constantFrom(...authorKinds) },
    ...{ beforeJson: json, afterJson: json },
  },
  { accountId: text, paymasterId: text, credentialId: text, wallet: text, address: text, client: text },
);
const signUp = fc.constantFrom(...signUpModes);
const role = fc.constantFrom(...roles);
const member: fc.Arbitrary<Member> = withOptional(
  { wallet: address, role, addedAt: time },
  { joinedAt: time, chainId },
);
const membership: fc.Arbitrary<Membership> = withOptional(
  { accountId: text, name: text, role, addedAt: time },
  { joinedAt: time },
);
const budgetTerms: fc.Arbitrary<BudgetTerms> = withOptional(
  { name: text, maxUsdMicros: amount, window: text },
  { paymasterIds: fc.array(text, { maxLength: 3 }) },
);
const budget: fc.Arbitrary<Budget> = withOptional(
  {
    ...{ budgetId: text, name: text, maxUsdMicros: amount, window: fc.constantFrom(...budgetWindows) },
    ...{ usedUsdMicros: amount, createdAt: time, updatedAt: time },
  },
  { paymasterIds: fc.array(text, { maxLength: 3 }), until: time },
);
const identity: fc.Arbitrary<Identity> = withOptional(
  { accountId: text, name: text, signUp, scopes: scopeList },
  { wallet: address, chainId, authTokenId: text, expiresAt: time, role, operator: fc.constant(true as const) },
);
const newSession = complete({ session: text, identity });
const caller = withOptional(
  { accountId: text },
  {
    ...{ paymasterId: text, authTokenId: text, sessionId: text, wallet: address, chainId, scopes: scopeList },
    operator: fc.constant(true as const),
  },
);
const record: fc.Arbitrary<AuthTokenRecord> = withOptional(
  { authTokenId: text, name: text, scopes: scopeList, createdAt: time },
  { expiresAt: time, revokedAt: time, lastUsedAt: time, madeBy: address },
);
const sessionRecord: fc.Arbitrary<SessionRecord> = withOptional(
  { sessionId: text, createdAt: time, lastUsedAt: time, expiresAt: time, isCurrent: fc.boolean() },
  { authTokenId: text, authTokenName: text, wallet: address },
);
const paymaster: fc.Arbitrary<Paymaster> = withOptional(
  { paymasterId: text, accountId: text, name: text, chainId, version: text, apiKey: text },
  { fundingWallet: address },
);
const keyRules: fc.Arbitrary<ApiKeyRules> = withOptional(
  {
    origins: texts,
    networks: texts,
    methods: texts,
    limits: fc.array(
      complete({ window: fc.constantFrom(...limitWindows), unit: fc.constantFrom(...limitUnits), max: amount }),
      { maxLength: 3 },
    ),
  },
  { rate: complete({ perSecond: fc.nat(), burst: fc.nat() }) },
);
const apiKeyRecord: fc.Arbitrary<ApiKeyRecord> = withOptional(
  { apiKeyId: text, name: text, isOwn: fc.boolean(), disabled: fc.boolean(), rules: keyRules, createdAt: time },
  { expiresAt: time, lastUsedAt: time },
);
const ticketKey: fc.Arbitrary<TicketKey> = withOptional(
  {
    ...{ ticketKeyId: text, name: text, kind: fc.constantFrom(...ticketKeyKinds), algorithms: texts },
    ...{ audience: text, createdAt: time },
  },
  { kid: text, publicKeyJson: text, jwksUrl: text, issuer: text },
);
const servedChain: fc.Arbitrary<ServedChain> = withOptional(
  {
    chainId,
    name: text,
    contracts: fc.array(
      complete({
        version: text,
        family: text,
        address,
        entryPointVersion: fc.constantFrom(...entryPointVersions),
        entryPoint: address,
      }),
      { maxLength: 3 },
    ),
  },
  { explorerPageUrl: text },
);
const contract: fc.Arbitrary<SmartContract> = withOptional(
  {
    name: text,
    address,
    abi: json,
    whitelistedMethods: texts,
    methods: texts,
  },
  { brokenRules: fc.array(text, { minLength: 1, maxLength: 3 }) },
);
const webhookPayload = fc.constantFrom(...webhookPayloads);
const webhook: fc.Arbitrary<Webhook> = withOptional(
  {
    webhookId: text,
    webhookUrl: text,
    requestType: fc.constantFrom('GET' as const, 'POST' as const),
    active: fc.boolean(),
  },
  {
    payload: webhookPayload,
    onFailure: fc.constantFrom(...webhookFailureModes),
    failureBudget: complete({ window: fc.constantFrom(...failureWindows), max: amount }),
  },
);
/** As a caller says it. */
const webhookSettings = { payload: text, onFailure: text, failureBudget: complete({ window: text, max: amount }) };
const accountWebhook = fc.tuple(webhook, text).map(([fields, paymasterId]) => ({ ...fields, paymasterId }));
const webhookAnswer: fc.Arbitrary<WebhookAnswer> = withOptional(
  {
    askedAt: time,
    durationMs: fc.maxSafeNat(),
    verdict: fc.constantFrom(...webhookVerdicts),
    isTest: fc.boolean(),
  },
  { status: fc.integer({ min: 100, max: 999 }), problem: text, payload: webhookPayload },
);
const page = { cursor: text, limit: fc.integer({ min: 1, max: 200 }) };
const paymasterKey = { apiKey: text, chainId };

const owned = { accountId: text, paymasterId: text };
const ownedWebhook = complete({ ...owned, webhookId: text });
const secret = complete({ secret: text });

const tankLow: fc.Arbitrary<TankLowRule> = optional<Required<TankLowRule>>({
  thresholdWei: amount,
  daysLeft: fc.double({ noNaN: true }),
});
const notification: fc.Arbitrary<Notification> = withOptional(
  { notificationId: text, url: text, events: fc.subarray([...notificationEvents]), active: fc.boolean() },
  { tankLow },
);
const ownedPolicy = complete({ ...owned, policyId: text });
const ownedNotification = complete({ ...owned, notificationId: text });
const delivery: fc.Arbitrary<NotificationDelivery> = withOptional(
  {
    deliveryId: text,
    notificationId: text,
    type: fc.constantFrom(...notificationTypes),
    state: fc.constantFrom(...deliveryStates),
    attempts: fc.maxSafeNat(),
    createdAt: time,
  },
  { lastAttemptAt: time, lastStatus: fc.integer({ min: 100, max: 999 }), lastProblem: text, nextAttemptAt: time },
);

const strayDeposit: fc.Arbitrary<StrayDeposit> = withOptional(
  { txHash: hex, amount, wayBack: text },
  { sender: address },
);
const gasTank: fc.Arbitrary<GasTank> = withOptional(
  { chainId, contract: address, funded: amount, settled: amount, held: amount, available: amount },
  {
    fundingWallet: address,
    chainDeposit: amount,
    daysLeft: fc.maxSafeNat(),
    entriesSince: time,
    formerTanks: fc.array(complete({ fundingWallet: address, left: amount, held: amount }), {
      minLength: 1,
      maxLength: 3,
    }),
    filling: complete({
      to: address,
      call: text,
      data: hex,
      from: fc.constantFrom('funding-wallet' as const, 'anybody' as const),
    }),
    strayDeposits: fc.array(strayDeposit, { minLength: 1, maxLength: 3 }),
    relay: complete({
      executors: fc.array(address, { maxLength: 3 }),
      funded: amount,
      settled: amount,
      held: amount,
      available: amount,
    }),
  },
);
const contractSigner: fc.Arbitrary<ContractSigner> = withOptional(
  {
    chainId,
    contract: address,
    signer: address,
    state: fc.constantFrom(...contractSignerStates),
    places: fc.array(withOptional({ kind: fc.constantFrom(...keyKinds) }, { awaySince: time }), { maxLength: 2 }),
  },
  { since: time, until: time, openUntil: time, complaint: text, remedy: text },
);
const gasTankEntry: fc.Arbitrary<GasTankEntry> = withOptional(
  {
    entryId: fc.maxSafeNat(),
    kind: fc.constantFrom(
      'deposit',
      'withdrawal',
      'credit',
      'debit',
      'hold',
      'release',
      'settle',
      'shortfall',
      'recovery',
    ),
    amount,
    createdAt: time,
  },
  { reason: text, txHash: hex, logIndex: fc.maxSafeNat() },
);
const signedAmount = fc.oneof(
  amount,
  amount.map((value) => -value),
);
const signedCount = fc.maxSafeInteger();
const moneySum = complete({ wei: signedAmount, usdMicros: signedAmount, unpriced: signedCount });
const gasTankStatement: fc.Arbitrary<GasTankStatement> = withOptional(
  {
    month: text,
    chainId,
    contract: address,
    tanks: fc.array(
      complete({
        fundingWallet: address,
        opening: signedAmount,
        closing: signedAmount,
        deposited: moneySum,
        withdrawn: moneySum,
        credited: moneySum,
        debited: moneySum,
        spent: moneySum,
        premium: moneySum,
        usersPaid: signedAmount,
        operations: signedCount,
        elsewhere: complete({ wei: signedAmount, operations: signedCount }),
      }),
      { maxLength: 2 },
    ),
  },
  { upstream: complete({ operations: signedCount, worstCaseUsdMicros: amount }) },
);
const ledgerReport: fc.Arbitrary<LedgerReport> = withOptional(
  {
    state: fc.constantFrom('compared', 'unreachable'),
    chainId,
    contract: address,
    entryPoint: address,
    atBlock: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    bookDeposit: signedAmount,
    unattributedDeposits: amount,

    withdrawals: amount,
    unexplainedCosts: amount,
    funded: signedAmount,
    settled: amount,
    held: amount,
    shortfall: amount,
    margin: signedAmount,
    faults: texts,
    strayDeposits: fc.array(strayDeposit, { maxLength: 3 }),
    strayDepositCount: fc.maxSafeNat(),
    idleTanks: fc.array(complete({ wallet: address, left: amount }), { maxLength: 3 }),
    idleTankCount: fc.maxSafeNat(),
    rowsReadAt: fc.maxSafeNat(),
  },
  { chainDeposit: amount, difference: signedAmount, customerBalances: amount, treasuryDeposits: amount },
);

const metric: fc.Arbitrary<Metric> = complete({
  name: text,
  kind: fc.constantFrom(...metricKinds),
  help: text,
  samples: fc.array(
    complete({
      suffix: fc.constantFrom(...sampleSuffixes),
      labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), text, { maxKeys: 3, noNullPrototype: true }),
      value: fc.double({ noNaN: true }),
    }),
    { maxLength: 3 },
  ),
});
const ledgerStanding: fc.Arbitrary<LedgerStanding> = withOptional(
  {
    state: fc.constantFrom('compared', 'unreachable'),
    chainId,
    contract: address,
    entryPoint: address,
    atBlock: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    bookDeposit: signedAmount,
    held: amount,
  },
  { chainDeposit: amount, difference: signedAmount },
);

const openHold: fc.Arbitrary<OpenHold> = withOptional(
  {
    ...{ holdId: fc.maxSafeNat(), chainId, contract: address, wallet: address, paymasterId: text },
    ...{ sender: address, nonce: amount, amount, createdAt: time },
  },
  { validUntil: time },
);

const refusalKind: fc.Arbitrary<RefusalKind> = fc
  .record({
    reason: fc.constantFrom(...managementReasons, ...sponsorshipReasons),
    kind: fc.constantFrom(...limitKinds),
  })
  .map(({ reason, kind }) => (reason === 'LIMIT_EXCEEDED' ? { reason, limitKind: kind } : { reason }));

const gasPrice = complete({ maxFeePerGas: amount, maxPriorityFeePerGas: amount });

const tokenOffers = fc.array(complete({ address, symbol: text, decimals: fc.nat(255) }), {
  minLength: 1,
  maxLength: 3,
});

export const refusalArbitrary: fc.Arbitrary<Refusal> = fc
  .tuple(
    refusalKind,
    withOptional(
      { message: text },
      {
        field: text,
        details: fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,9}$/), text, { maxKeys: 3, noNullPrototype: true }),
        decisionId: text,
        tokenOffers,
        bundlerError: withOptional({ code: fc.integer() }, { dataJson: json }),
      },
    ),
  )
  .map(([kind, fields]) => ({ ...kind, ...fields }));

/** Inputs and values of every operation; one that is missing here does not compile. */
export const operationArbitraries: {
  [Name in OperationName]: { input: fc.Arbitrary<Input<Name>>; value: fc.Arbitrary<Value<Name>> };
} = {
  createAccount: { input: complete({ name: text }), value: account },
  listAccounts: { input: withOptional({}, { newest: fc.nat(1_000) }), value: fc.array(account, { maxLength: 3 }) },
  inviteAccount: { input: withOptional({ wallet: text }, { name: text }), value: account },
  linkWallet: { input: complete({ accountId: text, wallet: text }), value: account },
  suspendAccount: { input: complete({ accountId: text, suspended: fc.boolean() }), value: account },
  readSignUp: { input: fc.constant(undefined), value: complete({ signUp }) },
  createSignInNonce: {
    input: fc.constant(undefined),
    value: complete({ nonce: text, issuedAt: time, expiresAt: time, signUp }),
  },
  signInWithWallet: {
    input: withOptional({ message: text, signature: text, origin: text, client: text }, { accountId: text }),
    value: newSession,
  },
  signInWithAuthToken: { input: complete({ authToken: text }), value: newSession },
  authenticateSession: { input: withOptional({ session: text }, { apiKey: text }), value: caller },
  readSession: { input: optional({ session: text, authToken: text }), value: identity },
  endSession: { input: complete({ session: text }), value: caller },
  listSessions: {
    input: withOptional({ accountId: text }, { session: text }),
    value: fc.array(sessionRecord, { maxLength: 3 }),
  },
  revokeSession: { input: complete({ accountId: text, sessionId: text }), value: caller },
  revokeAllSessions: { input: complete({ accountId: text }), value: caller },
  listBudgets: { input: complete({ accountId: text }), value: fc.array(budget, { maxLength: 3 }) },
  createBudget: { input: complete({ accountId: text, terms: budgetTerms }), value: budget },
  replaceBudget: { input: complete({ accountId: text, budgetId: text, terms: budgetTerms }), value: budget },
  deleteBudget: { input: complete({ accountId: text, budgetId: text }), value: budget },
  listMembers: { input: complete({ accountId: text }), value: fc.array(member, { maxLength: 3 }) },
  addMember: {
    input: withOptional({ accountId: text, wallet: text, role: text }, { chainId }),
    value: member,
  },
  changeMember: { input: complete({ accountId: text, wallet: text, role: text }), value: member },
  removeMember: { input: complete({ accountId: text, wallet: text }), value: member },
  listMemberships: {
    input: withOptional({ wallet: text }, { chainId }),
    value: fc.array(membership, { maxLength: 3 }),
  },
  switchAccount: { input: complete({ session: text, accountId: text }), value: newSession },
  createAuthToken: {
    input: withOptional({ accountId: text, name: text }, { expiresAt: time, scopes: texts }),
    value: complete({ authToken: text, record }),
  },
  listAuthTokens: { input: complete({ accountId: text }), value: fc.array(record, { maxLength: 3 }) },
  revokeAuthToken: { input: complete({ accountId: text, authTokenId: text }), value: record },
  listAuditLog: {
    input: withOptional(
      { accountId: text, filter: optional({ from: time, until: time, who: text, operation: text, object: text }) },
      { cursor: text, limit: fc.nat({ max: 200 }) },
    ),
    value: withOptional({ entries: fc.array(auditLogEntry, { maxLength: 3 }) }, { nextCursor: text }),
  },
  authenticate: {
    input: withOptional({ authToken: text }, { apiKey: text }),
    value: caller,
  },
  createPaymaster: {
    input: complete({ accountId: text, name: text, type: text, chainId, version: text }),
    value: paymaster,
  },
  updatePaymaster: { input: withOptional(owned, { name: text, paused: fc.boolean() }), value: paymaster },
  retirePaymaster: { input: complete({ ...owned, name: text }), value: paymaster },
  listPaymasters: { input: complete({ accountId: text }), value: fc.array(paymaster, { maxLength: 3 }) },
  listChains: { input: fc.constant(undefined), value: fc.array(servedChain, { maxLength: 3 }) },
  listApiKeys: { input: complete(owned), value: fc.array(apiKeyRecord, { maxLength: 3 }) },
  createApiKey: {
    input: withOptional({ ...owned, name: text }, { rules: keyRules }),
    value: complete({ apiKey: text, record: apiKeyRecord }),
  },
  updateApiKey: {
    input: withOptional({ ...owned, apiKeyId: text }, { name: text, disabled: fc.boolean(), rules: keyRules }),
    value: apiKeyRecord,
  },
  rotateApiKey: {
    input: withOptional({ ...owned, graceSeconds: fc.nat() }, { apiKeyId: text }),
    value: complete({ apiKey: text, record: apiKeyRecord }),
  },
  endApiKey: { input: complete({ ...owned, apiKeyId: text }), value: apiKeyRecord },
  createTicketKey: {
    input: withOptional(
      { ...owned, name: text, kind: text },
      { publicKeyJson: text, jwksUrl: text, issuer: text, audience: text },
    ),
    value: withOptional({ record: ticketKey }, { secretJson: text }),
  },
  listTicketKeys: { input: complete(owned), value: fc.array(ticketKey, { maxLength: 3 }) },
  deleteTicketKey: { input: complete({ ...owned, ticketKeyId: text }), value: ticketKey },
  registerSmartContract: {
    input: withOptional({ ...owned, name: text, address: text, abi: json }, { whitelistedMethods: texts }),
    value: contract,
  },
  listSmartContracts: {
    input: withOptional(owned, { cursor: text }),
    value: withOptional({ contracts: fc.array(contract, { maxLength: 3 }) }, { nextCursor: text }),
  },
  fetchContractAbi: {
    input: complete({ ...owned, address: text }),
    value: withOptional({ address, abi: text }, { implementation: address }),
  },
  updateSmartContract: { input: complete({ ...owned, address: text, whitelistedMethods: texts }), value: contract },
  deleteSmartContract: { input: complete({ ...owned, address: text }), value: contract },
  createWebhook: {
    input: withOptional({ ...owned, webhookUrl: text, requestType: text }, webhookSettings),
    value: webhook,
  },
  listWebhooks: { input: withOptional(owned, { webhookId: text }), value: fc.array(webhook, { maxLength: 3 }) },
  updateWebhook: {
    input: withOptional({ ...owned, webhookId: text, active: fc.boolean() }, webhookSettings),
    value: webhook,
  },
  deleteWebhook: { input: ownedWebhook, value: webhook },
  readWebhookSecret: { input: ownedWebhook, value: secret },
  rotateWebhookSecret: { input: ownedWebhook, value: secret },
  listAccountWebhooks: {
    input: withOptional({ accountId: text }, { paymasterId: text, ...page }),
    value: withOptional({ webhooks: fc.array(accountWebhook, { maxLength: 3 }) }, { nextCursor: text }),
  },
  testWebhook: { input: ownedWebhook, value: webhookAnswer },
  listWebhookAnswers: {
    input: withOptional({ ...owned, webhookId: text }, page),
    value: withOptional({ answers: fc.array(webhookAnswer, { maxLength: 3 }) }, { nextCursor: text }),
  },
  createNotification: {
    input: withOptional({ ...owned, url: text, events: texts }, { tankLow }),
    value: notification,
  },
  listNotifications: { input: complete(owned), value: fc.array(notification, { maxLength: 3 }) },
  updateNotification: {
    input: withOptional({ ...owned, notificationId: text }, { active: fc.boolean(), events: texts, tankLow }),
    value: notification,
  },
  deleteNotification: { input: ownedNotification, value: notification },
  readNotificationSecret: { input: ownedNotification, value: secret },
  rotateNotificationSecret: { input: ownedNotification, value: secret },
  listNotificationDeliveries: {
    input: withOptional(
      {
        ...owned,
        filter: optional<Required<DeliveryFilter>>({
          notificationId: text,
          state: fc.constantFrom(...deliveryStates),
        }),
      },
      { cursor: text, limit: fc.integer({ min: 1, max: 200 }) },
    ),
    value: withOptional({ deliveries: fc.array(delivery, { maxLength: 3 }) }, { nextCursor: text }),
  },
  redeliverNotification: { input: complete({ ...owned, deliveryId: text }), value: delivery },
  sendTestNotification: { input: ownedNotification, value: delivery },
  createFundingMessage: { input: complete(owned), value: complete({ fundingMessage: text }) },
  setFundingWallet: { input: complete({ ...owned, signature: text, address: text }), value: paymaster },
  readPolicy: { input: complete(owned), value: policy },
  setPolicy: { input: complete({ ...owned, policy }), value: policy },
  previewPolicy: {
    input: withOptional({ ...owned, policy }, { policyId: text, last: fc.integer({ min: 1, max: 1_000 }) }),
    value: policyPreview,
  },
  createPolicy: { input: complete({ ...owned, head: policyHead, policy }), value: namedPolicy },
  listPolicies: {
    input: withOptional(owned, { cursor: text }),
    value: withOptional({ policies: fc.array(namedPolicy, { maxLength: 3 }) }, { nextCursor: text }),
  },
  readNamedPolicy: { input: ownedPolicy, value: namedPolicy },
  replacePolicy: { input: complete({ ...owned, policyId: text, head: policyHead, policy }), value: namedPolicy },
  deletePolicy: { input: ownedPolicy, value: namedPolicy },
  validatePolicies: {
    input: complete({ ...paymasterKey, userOperation, entryPoint: text, policyIds: texts }),
    value: fc.array(sponsoringPolicy, { maxLength: 3 }),
  },
  getFeeQuoteOrData: { input: request, value: fc.oneof(signed, quotes) },
  sponsorUserOperation: { input: request, value: signed },
  getPaymasterStubData: { input: paymasterDataRequest, value: stub },
  getPaymasterData: { input: paymasterDataRequest, value: complete({ signed, gasEstimated: fc.boolean() }) },
  prepareRelay: {
    input: paymasterDataRequest,
    value: complete({
      callGasLimit: amount,
      verificationGasLimit: amount,
      preVerificationGas: amount,
      decisionId: text,
    }),
  },
  relayUserOperation: { input: paymasterDataRequest, value: complete({ userOperationHash: hex, decisionId: text }) },
  quoteTokenRates: {
    input: withOptional({ ...paymasterKey, entryPoint: text, tokens: texts }, { arrival }),
    value: fc.array(tokenRate, { maxLength: 3 }),
  },
  getAllowance: {
    input: withOptional(paymasterKey, { ticket: text, sender: text, policyId: text }),
    value: withOptional(
      {
        limits: fc.array(
          withOptional(
            {
              per: fc.constantFrom('sender', 'subject', 'total', 'key', 'ticket'),
              window: fc.constantFrom('hour', 'day', 'week', 'month', 'ever'),
              unit: fc.constantFrom('operations', 'wei', 'usdMicros'),
              ...{ max: amount, left: amount },
            },
            { until: time, contract: address, method: text },
          ),
          { maxLength: 3 },
        ),
      },
      {
        ticketExpiresAt: time,
        budget: withOptional({ why: fc.constantFrom('used up', 'not counted') }, { until: time }),
      },
    ),
  },
  listSupportedTokens: {
    input: withOptional(paymasterKey, { arrival }),
    value: fc.array(complete({ address, symbol: text, decimals: fc.integer({ min: 0, max: 255 }) }), { maxLength: 3 }),
  },
  listEntryPoints: { input: withOptional(paymasterKey, { arrival }), value: fc.array(address, { maxLength: 3 }) },
  describePaymaster: { input: withOptional({ ...paymasterKey, entryPoint: text }, { arrival }), value: description },
  listDecisions: {
    input: withOptional(
      {
        ...owned,
        filter: optional<Required<DecisionFilter>>({
          outcome: decisionOutcome,
          reason: text,
          sender: text,
          mode: sponsorshipMode,
          status: operationStatus,
          txHash: text,
          from: time,
          until: time,
        }),
      },
      { cursor: text, limit: fc.integer({ min: 1, max: 200 }) },
    ),
    value: withOptional({ decisions: fc.array(decision, { maxLength: 3 }) }, { nextCursor: text }),
  },
  getDecision: { input: complete({ ...owned, decisionId: text }), value: decision },
  getOperation: { input: complete({ ...owned, userOperationHash: text }), value: operationLife },
  explainSponsorship: {
    input: fc
      .tuple(
        withOptional(
          { ...owned, method: decisionMethod, askWebhooks: fc.boolean() },
          { entryPoint: text, apiKeyId: text, origin: text, address: text },
        ),
        request,
      )
      .map(([input, { userOperation: operation, context }]) => ({ ...input, userOperation: operation, context })),
    value: explanation,
  },
  getUsage: {
    input: withOptional({ ...owned, by: dimension }, { from: text, until: text }),
    value: fc.array(usageRow, { maxLength: 3 }),
  },
  readGasTank: { input: complete(owned), value: gasTank },
  listGasTankEntries: {
    input: withOptional(owned, { beforeEntryId: fc.maxSafeNat(), limit: fc.integer({ min: 1, max: 200 }) }),
    value: fc.array(gasTankEntry, { maxLength: 3 }),
  },
  listGasTankDays: {
    input: withOptional(owned, { from: text, until: text }),
    value: fc.array(complete({ day: text, balance: signedAmount, spent: amount }), { maxLength: 3 }),
  },
  readGasTankStatement: { input: withOptional(owned, { month: text }), value: gasTankStatement },
  adjustTank: {
    input: withOptional(
      {
        paymasterId: text,
        kind: fc.constantFrom('credit' as const, 'debit' as const),
        amount,
        reason: text,
      },
      { forTransaction: hex, relay: fc.constant(true as const) },
    ),
    value: gasTank,
  },
  rewindLedger: {
    input: complete({ chainId: fc.nat(), block: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) }),
    value: fc.array(
      complete({
        contract: address,
        fromBlock: fc.nat().map(BigInt),
        nextBlock: fc.nat().map(BigInt),
        movements: fc.nat(),
      }),
      {
        maxLength: 3,
      },
    ),
  },
  archiveLedger: {
    input: complete({ olderThanDays: fc.nat(), after: text, stored: text }),
    value: complete({ deleted: fc.maxSafeNat(), rows: text, after: text, isLast: fc.boolean() }),
  },
  listOpenHolds: {
    input: withOptional(
      { chainId: fc.nat() },
      { sender: text, afterHoldId: fc.maxSafeNat(), limit: fc.integer({ min: 1, max: 200 }) },
    ),
    value: fc.array(openHold, { maxLength: 3 }),
  },
  releaseHold: {
    input: complete({ chainId: fc.nat(), holdId: fc.maxSafeNat(), reason: text }),
    value: complete({ holdId: fc.maxSafeNat(), sender: address, nonce: amount, amount, ground: text }),
  },
  checkLedger: { input: complete({ allRows: fc.boolean() }), value: fc.array(ledgerReport, { maxLength: 3 }) },
  readSigners: { input: fc.constant(undefined), value: fc.array(contractSigner, { maxLength: 3 }) },
  readLedgerStandings: { input: fc.constant(undefined), value: fc.array(ledgerStanding, { maxLength: 3 }) },
  sendUserOperation: {
    input: withOptional({ ...paymasterKey, userOperation, entryPoint: text }, { arrival, clientAddress: text }),
    value: withOptional({ userOperationHash: hex }, { decisionId: text }),
  },
  estimateUserOperationGas: {
    input: withOptional(
      { ...paymasterKey, userOperation, entryPoint: text },
      { arrival, clientAddress: text, stateOverrideJson: json },
    ),
    value: withOptional(
      { callGasLimit: amount, verificationGasLimit: amount, preVerificationGas: amount },
      { paymasterVerificationGasLimit: amount, paymasterPostOpGasLimit: amount },
    ),
  },
  lookUpUserOperation: {
    input: withOptional(
      { ...paymasterKey, view: fc.constantFrom(...operationViews), userOperationHash: text },
      { arrival, clientAddress: text },
    ),
    value: complete({ json }),
  },
  readUserOperationStatus: {
    input: withOptional({ ...paymasterKey, userOperationHash: text }, { arrival, clientAddress: text }),
    value: withOptional({ status: fc.constantFrom(...bundledStatuses) }, { transactionHash: hex }),
  },
  quoteGasPrices: {
    input: withOptional(paymasterKey, { arrival, clientAddress: text }),
    value: complete({ slow: gasPrice, standard: gasPrice, fast: gasPrice }),
  },
  listBundlerEntryPoints: {
    input: withOptional(paymasterKey, { arrival, clientAddress: text }),
    value: fc.array(address, { maxLength: 3 }),
  },
  shareLimits: {
    input: complete({
      uses: fc.array(
        complete({ name: text, burst: fc.nat(), perMinute: fc.nat(), used: fc.nat(), beganMsAgo: fc.maxSafeNat() }),
        { maxLength: 3 },
      ),
    }),
    value: fc.array(complete({ left: fc.maxSafeInteger(), used: fc.maxSafeNat() }), { maxLength: 3 }),
  },
  readFigures: { input: fc.constant(undefined), value: fc.array(metric, { maxLength: 3 }) },
};
