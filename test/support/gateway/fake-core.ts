import { coreOperations } from '@tollfree/contract/core-operations';
import { scopes } from '../../../core/domain/access/actor.ts';
import type { AuditLogEntry } from '../../../core/domain/access/audit-log.ts';
import { noKeyRules } from '../../../core/domain/api-key-rules.ts';
import type { Budget } from '../../../core/domain/budget.ts';
import type { Core } from '../../../core/domain/core.ts';
import type { Decision, Explanation, OperationLife } from '../../../core/domain/decision.ts';
import type { GasTank, GasTankEntry } from '../../../core/domain/gas-tank.ts';
import type { GasTankDay, GasTankStatement } from '../../../core/domain/ledger-report.ts';
import type { NamedPolicy } from '../../../core/domain/named-policy.ts';
import type { Notification, NotificationDelivery } from '../../../core/domain/notification.ts';
import type { ApiKeyRecord, ServedChain } from '../../../core/domain/paymaster.ts';
import { defaultPolicy, type Policy } from '../../../core/domain/policy.ts';
import type { PolicyPreview } from '../../../core/domain/policy-preview.ts';
import type { RefusalKind, RefusalReason } from '../../../core/domain/result/refusal.ts';
import { accept, refuse } from '../../../core/domain/result/result.ts';
import type { AuthTokenRecord, Identity, Member, SessionRecord, SignInNonce } from '../../../core/domain/sign-in.ts';
import type { SignedPaymasterData, SponsorshipRequest, TokenQuotes } from '../../../core/domain/sponsorship.ts';
import type { TicketKey } from '../../../core/domain/tickets.ts';
import type { UsageRow } from '../../../core/domain/usage.ts';
import type { WebhookAnswer } from '../../../core/domain/webhook.ts';

export const authToken = 'tf_testtoken';
export const apiKey = 'abcDEF_-1.3f1c2b7e-5a0d-4c1e-9b52-0d6f7c8a9b10';
export const paymasterId = 'b7e23ec2-9f3b-4c55-8f3a-0d6f7c8a9b10';
export const chainId = 31337;

export const paymaster = {
  paymasterId,
  accountId: 'account',
  name: 'shop',
  chainId,
  version: '1',
  apiKey,
};
export const servedChain: ServedChain = {
  chainId,
  name: 'Devnet',
  contracts: [
    {
      version: '1',
      family: 'verifying-paymaster-0.7',
      address: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
      entryPointVersion: '0.7',
      entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    },
  ],
  tokens: [{ address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', symbol: 'USDC', decimals: 6 }],
};
export const apiKeyRecord: ApiKeyRecord = {
  apiKeyId: '0a0b0c0d-0000-4000-8000-000000000006',
  name: 'default',
  lastFour: '9f3a',
  isOwn: true,
  disabled: false,
  rules: noKeyRules,
  createdAt: 1_800_000_000,
};
export const ticketKey: TicketKey = {
  ticketKeyId: '0a0b0c0d-0000-4000-8000-000000000007',
  name: 'backend',
  kind: 'HS256',
  kid: '0a0b0c0d-0000-4000-8000-000000000007',
  algorithms: ['HS256'],
  audience: '0a0b0c0d-0000-4000-8000-000000000002',
  createdAt: 1_800_000_000,
};
export const authTokenRecord: AuthTokenRecord = {
  authTokenId: '0a0b0c0d-0000-4000-8000-000000000005',
  name: 'ci',
  scopes: ['read', 'manage', 'funds'],
  createdAt: 1_800_000_000,
};
export const auditLogEntry: AuditLogEntry = {
  entryId: '8',
  changedAt: 1_800_000_000,
  operation: 'updateWebhook',
  author: 'session',
  credentialId: '0a0b0c0d-0000-4000-8000-000000000007',
  address: '203.0.113.7',
  client: 'Firefox',
  paymasterId,
  beforeJson: '{"webhook 1":{"active":1}}',
  afterJson: '{"webhook 1":{"active":0}}',
};
export const identity: Identity = {
  accountId: 'account',
  name: 'shop',
  signUp: 'closed',
  scopes: ['read', 'manage', 'funds'],
};
export const member: Member = {
  wallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  name: 'Max',
  role: 'viewer',
  addedAt: 1_800_000_000,
};
export const budget: Budget = {
  budgetId: '40000000-0000-4000-8000-000000000001',
  name: 'all',
  maxUsdMicros: 250_000_000n,
  window: 'month',
  paymasterIds: [paymasterId],
  usedUsdMicros: 1_500_000n,
  until: 1_800_000_000,
  createdAt: 1_700_000_000,
  updatedAt: 1_700_000_001,
};
export const signInNonce: SignInNonce = {
  nonce: 'abcdef0123456789',
  issuedAt: 1_800_000_000,
  expiresAt: 1_800_000_300,
  signUp: 'closed',
};
export const sessionRecord: SessionRecord = {
  sessionId: '0a0b0c0d-0000-4000-8000-000000000007',
  createdAt: 1_800_000_000,
  lastUsedAt: 1_800_000_060,
  expiresAt: 1_800_604_800,
  isCurrent: false,
};
export const webhook = {
  webhookId: '0a0b0c0d-0000-4000-8000-000000000001',
  webhookUrl: 'https://hooks.example/policy',
  requestType: 'POST' as const,
  active: true,
};
export const webhookAnswer: WebhookAnswer = {
  askedAt: 1_800_000_000,
  durationMs: 12,
  verdict: 'unavailable',
  status: 503,
  problem: 'answered 503',
  isTest: true,
};
export const notification: Notification = {
  target: 'WEBHOOK',
  notificationId: '0a0b0c0d-0000-4000-8000-000000000002',
  url: 'https://hooks.example/events',
  events: ['tank.low', 'operation.failed'],
  tankLow: { thresholdWei: 10n ** 18n, daysLeft: 3 },
  active: true,
};
export const notificationDelivery: NotificationDelivery = {
  deliveryId: '0a0b0c0d-0000-4000-8000-000000000003',
  notificationId: notification.notificationId,
  type: 'operation.failed',
  state: 'pending',
  attempts: 1,
  createdAt: 1_800_000_000,
  lastAttemptAt: 1_800_000_000,
  lastStatus: 503,
  lastProblem: 'answered 503',
  nextAttemptAt: 1_800_000_005,
};
export const contract = {
  name: 'token',
  address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' as const,
  abi: '[]',
  whitelistedMethods: ['mint'],
  methods: ['mint', 'burn'],
};
export const gasTank: GasTank = {
  chainId,
  contract: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  funded: 10n ** 20n,
  settled: 1n,
  held: 2n,
  available: 10n ** 20n - 3n,
  formerTanks: [{ fundingWallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3', left: 10n ** 19n, held: 3n }],
};
export const explanation: Explanation = {
  decisionId: '0a0b0c0d-0000-4000-8000-000000000004',
  decidedAt: 1_800_000_000,
  method: 'getPaymasterData',
  chainId,
  outcome: 'refused',
  mode: 'SPONSORED',
  reason: 'LIMIT_EXCEEDED',
  message: 'The limit of the sender is used up',
  sender: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  nonce: 2n ** 255n,
  facts: {
    calls: [{ target: '0x5FbDB2315678afecb367f032d93F642f64180aa3', selector: '0xa9059cbb' }],
    deploysOnly: false,
    maxFeePerGas: 10n ** 9n,
    gas: 321_000n,
    worstCase: 10n ** 20n,
    usdMicrosPerCoin: 2_000_000_000n,
  },
  trace: [
    { rule: 'whitelist', verdict: 'passed', checked: '1 call' },
    {
      rule: 'limit',
      verdict: 'refused',
      checked: 'wei a day',
      limit: '5',
      used: '7',
      remedy: 'Wait until tomorrow.',
      fix: { action: 'deposit', neededWei: 10n ** 20n },
    },
  ],
};
export const decision: Decision = {
  ...explanation,
  settlement: {
    state: 'settled',
    held: 10n ** 20n,
    charge: 10n ** 19n,
    success: true,
    txHash: `0x${'ab'.repeat(32)}`,
    tokenPayment: { token: '0x5FbDB2315678afecb367f032d93F642f64180aa3', amount: 10n ** 30n },
  },
  requestJson: JSON.stringify({ method: 'pm_getPaymasterData', params: [{ nonce: '0x1' }] }),
};
export const operationLife: OperationLife = {
  userOperationHash: `0x${'cd'.repeat(32)}`,
  chainId,
  contract: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  sender: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  nonce: 2n ** 255n,
  status: 'failed',
  steps: [
    { status: 'signed', at: 1_800_000_000 },
    { status: 'sent', at: 1_800_000_001 },
    { status: 'failed', at: 1_800_000_013 },
  ],
  validUntil: 1_800_000_300,
  held: 10n ** 20n,
  charge: 10n ** 19n,
  success: false,
  txHash: `0x${'ab'.repeat(32)}`,
  blockNumber: 77n,
  revertReason: 'NotEnough(5)',
  decisionIds: [explanation.decisionId],
};
export const usageRow: UsageRow = {
  key: '2027-01-15',
  decisions: { signed: 4, quoted: 3, stub: 2, refused: 1 },
  landed: 3,
  charge: 10n ** 20n,
  usersPaid: 5n,
  chargeUsdMicros: 1_234_500_000n,
  unpriced: 1,
  held: 7n,
};
export const gasTankEntry: GasTankEntry = { entryId: 7, kind: 'deposit', amount: 10n ** 20n, createdAt: 1_800_000_000 };
export const gasTankDay: GasTankDay = { day: '2027-01-15', balance: 10n ** 20n, spent: 7n };
const nothing = { wei: 0n, usdMicros: 0n, unpriced: 0 };
export const gasTankStatement: GasTankStatement = {
  month: '2027-01',
  chainId,
  contract: '0x00000000000000000000000000000000000000D1',
  tanks: [
    {
      payer: 'CONTRACT',
      fundingWallet: '0x00000000000000000000000000000000000000F1',
      opening: 5n,
      deposited: { wei: 10n ** 20n, usdMicros: 1_234_500_000n, unpriced: 0 },
      withdrawn: nothing,
      credited: { wei: 2n, usdMicros: 0n, unpriced: 1 },
      debited: nothing,
      spent: { wei: 7n, usdMicros: -1n, unpriced: 0 },
      premium: { wei: 1n, usdMicros: 0n, unpriced: 0 },
      usersPaid: { wei: -2n, usdMicros: -4n, unpriced: 0 },
      closing: 10n ** 20n,
      operations: 3,
      atBlock: 77,
      elsewhere: { wei: 3n, operations: 1 },
    },
  ],
};
export const policy: Policy = {
  ...defaultPolicy,
  allowAccountDeployment: true,
  allowRevertingOperations: false,
  accounts: 'KNOWN',
  maxCostWei: 10n ** 16n,
  maxCostUsdMicros: 500_000n,
  maxFeePerGas: 10n ** 11n,
  allowedSenders: [contract.address],
  blockedSenders: ['0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'],
  notBefore: 1_800_000_000,
  notAfter: 1_900_000_000,
  pauses: [{ days: [1, 7], from: 1_320, until: 360 }],
  limits: [{ per: 'sender', window: 'day', unit: 'usdMicros', max: 10_000_001n }],
  callRules: [
    {
      contract: contract.address,
      method: 'transfer',
      where: [
        { argument: 'to', in: ['msg.sender'] },
        { argument: '1', atMost: '5' },
      ],
    },
  ],
};
const keptPolicy = {
  policyId: 'tfp_0a0b0c0d0000400080000000000000aa',
  createdAt: 1_800_000_000,
  updatedAt: 1_800_000_060,
};
export const namedPolicy: NamedPolicy = {
  ...keptPolicy,
  name: 'players',
  author: 'Example Games',
  icon: 'data:image/svg+xml,%3Csvg/%3E',
  enabled: true,
  policy,
};
export const policyPreview: PolicyPreview = {
  replayed: 3,
  since: 1_800_000_000,
  unpriced: 1,
  unread: 2,
  cutOff: [
    {
      decisionId: 'decision-3',
      decidedAt: 1_800_000_001,
      sender: contract.address,
      reason: 'SENDER_BLOCKED',
      rule: 'policy-sender',
      message: 'blocked',
      worstCase: 10n ** 15n,
      charge: 4n * 10n ** 14n,
      usdMicrosPerCoin: 2_000_000_000n,
    },
  ],
  letIn: [],
  senders: [{ sender: contract.address, cutOff: 1 }],
  replayedSenders: 2,
  rules: [{ rule: 'policy-cost', field: 'maxCostPerOperation.usd', cutOff: 1, raised: [{ value: '1.00', cutOff: 0 }] }],
};
export const signed: SignedPaymasterData = {
  kind: 'signed',
  mode: 'SPONSORED',
  entryPointVersion: '0.6',
  paymaster: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  paymasterAndData: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0aa',
  paymasterData: '0xaa',
  gas: {
    callGasLimit: 100_000n,
    verificationGasLimit: 200_000n,
    preVerificationGas: 50_000n,
    paymasterVerificationGasLimit: 30_000n,
    paymasterPostOpGasLimit: 1n,
  },
  validUntil: 1_900_000_000,
  decisionId: 'decision-1',
};
export const quotes: TokenQuotes = {
  kind: 'quotes',
  paymasterAddress: signed.paymaster,
  feeQuotes: [
    {
      symbol: 'US"D',
      decimal: 6,
      tokenAddress: contract.address,
      maxGasFee: 1n,
      maxGasFeeUsdMicros: 1_500_001n,
      exchangeRate: 123_456_789_012_345_678_901_234_567_890n,
      premiumBasisPoints: 1_250,
      validUntil: 1_900_000_000,
      logoUrl: 'https://logo.example/usd.png',
    },
  ],
  unsupportedTokens: ['0xDEAD'],
  decisionId: 'decision-2',
};

/** A refusal the way the core gives it. */
export function refusal(reason: RefusalReason, extra: { message?: string; field?: string } = {}) {
  return refuse({ ...refusalKind(reason), message: extra.message ?? `core says ${reason}`, ...extra });
}

/** A reason with the kind of limit that belongs to one of them. */
export function refusalKind(reason: RefusalReason): RefusalKind {
  return reason === 'LIMIT_EXCEEDED' ? { reason, limitKind: 'POLICY_LIMIT' } : { reason };
}

/**
 * A stand-in for the other side of the `Core` interface: accepts one token and one key, answers with the constants
 * above, and remembers what the RPC methods were given. Any operation can be replaced.
 */
export function createFakeCore(overrides: Partial<Core> = {}): Core & { sponsorshipRequests: SponsorshipRequest[] } {
  const sponsorshipRequests: SponsorshipRequest[] = [];
  const unused = async () => refusal('INTERNAL');
  // What is not listed below is not asked for by the gateway's tests.
  const others = Object.fromEntries(Object.keys(coreOperations).map((name) => [name, unused]));
  const answers: Partial<Core> = {
    readSignUp: async () => accept({ signUp: 'closed' }),
    createSignInNonce: async () => accept(signInNonce),
    signInWithWallet: async () => accept({ session: 'tfs_session', identity }),
    signInWithAuthToken: async () => accept({ session: 'tfs_session', identity }),
    authenticateSession: async () => refusal('UNAUTHENTICATED'),
    readSession: async () => accept(identity),
    endSession: async () => accept({ accountId: identity.accountId }),
    listSessions: async () => accept([sessionRecord]),
    revokeSession: async () => accept({ accountId: identity.accountId }),
    revokeAllSessions: async () => accept({ accountId: identity.accountId }),
    listBudgets: async () => accept([budget]),
    createBudget: async () => accept(budget),
    replaceBudget: async () => accept(budget),
    deleteBudget: async () => accept(budget),
    listMembers: async () => accept([member]),
    addMember: async () => accept(member),
    changeMember: async () => accept(member),
    renameMember: async () => accept(member),
    removeMember: async () => accept(member),
    listMemberships: async () => accept([]),
    switchAccount: async () => accept({ session: 'tfs_session', identity }),
    createAuthToken: async () => accept({ authToken: 'tf_newtoken', record: authTokenRecord }),
    listAuthTokens: async () => accept([authTokenRecord]),
    revokeAuthToken: async () => accept(authTokenRecord),
    listAuditLog: async () => accept({ entries: [auditLogEntry], nextCursor: '7' }),
    async authenticate(input) {
      if (input.authToken !== authToken) return refusal('UNAUTHENTICATED');
      const caller = { accountId: 'account', scopes };
      if (input.apiKey === undefined) return accept(caller);
      return input.apiKey === apiKey ? accept({ ...caller, paymasterId }) : refusal('API_KEY_NOT_ACCEPTED');
    },
    createPaymaster: async () => accept(paymaster),
    listPaymasters: async () => accept([paymaster]),
    listChains: async () => accept([servedChain]),
    updatePaymaster: async () => accept(paymaster),
    retirePaymaster: async () => accept({ ...paymaster, retiredAt: 1_800_000_000 }),
    listApiKeys: async () => accept([apiKeyRecord]),
    createApiKey: async () => accept({ apiKey, record: apiKeyRecord }),
    updateApiKey: async () => accept(apiKeyRecord),
    rotateApiKey: async () => accept({ apiKey, record: apiKeyRecord }),
    endApiKey: async () => accept({ ...apiKeyRecord, expiresAt: 1_800_000_000 }),
    createTicketKey: async () => accept({ record: ticketKey, secretJson: '{"kty":"oct","k":"AA"}' }),
    listTicketKeys: async () => accept([ticketKey]),
    deleteTicketKey: async () => accept(ticketKey),
    registerSmartContract: async () => accept(contract),
    listSmartContracts: async () => accept({ contracts: [contract] }),
    updateSmartContract: async () => accept(contract),
    deleteSmartContract: async () => accept(contract),
    fetchContractAbi: async () => accept({ address: contract.address, abi: contract.abi }),
    createWebhook: async () => accept(webhook),
    listWebhooks: async () => accept([webhook]),
    updateWebhook: async () => accept(webhook),
    deleteWebhook: async () => accept(webhook),
    readWebhookSecret: async () => accept({ secret: 'whsec_old' }),
    rotateWebhookSecret: async () => accept({ secret: 'whsec_new' }),
    listAccountWebhooks: async () => accept({ webhooks: [{ ...webhook, paymasterId }] }),
    testWebhook: async () => accept(webhookAnswer),
    listWebhookAnswers: async () => accept({ answers: [webhookAnswer], nextCursor: '7' }),
    createNotification: async () => accept(notification),
    listNotifications: async () => accept([notification]),
    updateNotification: async () => accept(notification),
    deleteNotification: async () => accept(notification),
    readNotificationSecret: async () => accept({ secret: 'whsec_old' }),
    rotateNotificationSecret: async () => accept({ secret: 'whsec_new' }),
    listNotificationDeliveries: async () => accept({ deliveries: [notificationDelivery] }),
    redeliverNotification: async () => accept(notificationDelivery),
    sendTestNotification: async () => accept(notificationDelivery),
    createFundingMessage: async () => accept({ fundingMessage: 'line one\nline two' }),
    setFundingWallet: async () => accept(paymaster),
    readPolicy: async () => accept(policy),
    setPolicy: async (input) => accept(input.policy),
    previewPolicy: async () => accept(policyPreview),
    readPolicyUse: async () => accept([{ limit: 0, used: '7', until: 1_800_000_000 }]),
    createPolicy: async ({ head, policy }) => accept({ ...keptPolicy, ...head, policy }),
    listPolicies: async () => accept({ policies: [namedPolicy] }),
    readNamedPolicy: async ({ policyId }) => accept({ ...namedPolicy, policyId }),
    replacePolicy: async ({ policyId, head, policy }) => accept({ ...keptPolicy, ...head, policyId, policy }),
    deletePolicy: async ({ policyId }) => accept({ ...namedPolicy, policyId }),
    validatePolicies: async ({ policyIds }) =>
      accept(policyIds.map((policyId) => ({ policyId, name: 'players', author: 'Example Games' }))),
    async getFeeQuoteOrData(request) {
      if (request.apiKey !== apiKey || request.chainId !== chainId) return refusal('UNAUTHORIZED');
      sponsorshipRequests.push(request);
      return request.context.mode === 'ERC20' ? accept(quotes) : accept(signed);
    },
    async sponsorUserOperation(request) {
      if (request.apiKey !== apiKey || request.chainId !== chainId) return refusal('UNAUTHORIZED');
      sponsorshipRequests.push(request);
      return accept(signed);
    },
    listDecisions: async () => accept({ decisions: [decision], nextCursor: '41' }),
    getDecision: async () => accept(decision),
    getOperation: async () => accept(operationLife),
    explainSponsorship: async () => accept(explanation),
    getOverview: async () => accept({ paymasters: [], recent: [] }),
    getUsage: async () => accept([usageRow]),
    readGasTank: async () => accept(gasTank),
    listGasTankEntries: async () => accept([gasTankEntry]),
    listGasTankDays: async () => accept([gasTankDay]),
    readGasTankStatement: async () => accept(gasTankStatement),
    readAccountStatement: async () => accept({ month: gasTankStatement.month, statements: [] }),
    checkLedger: async () => accept([]),
    readLedgerStates: async () => accept([]),
    readSigners: async () => accept([]),
    readMetrics: async () => accept([]),
    shareLimits: async ({ uses }) => accept(uses.map(({ burst, used }) => ({ left: burst * 1_000, used }))),
    status: async () => [{ part: 'store', ready: true, detail: 'open' }],
    ...overrides,
  };
  return { sponsorshipRequests, ...(others as unknown as Core), ...answers };
}
