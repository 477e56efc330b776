import type { Core } from '../../core/core.ts';
import type { GasTank, GasTankEntry } from '../../core/domain/gas-tank.ts';
import type { RefusalReason } from '../../core/domain/refusal.ts';
import { accept, refuse } from '../../core/domain/result.ts';
import type { SignedPaymasterData, SponsorshipRequest, TokenQuotes } from '../../core/domain/sponsorship.ts';

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
export const webhook = {
  webhookId: '0a0b0c0d-0000-4000-8000-000000000001',
  webhookUrl: 'https://hooks.example/policy',
  requestType: 'POST' as const,
  active: true,
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
};
export const gasTankEntry: GasTankEntry = { entryId: 7, kind: 'deposit', amount: 10n ** 20n, createdAt: 1_800_000_000 };
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
  return refuse({ reason, message: extra.message ?? `core says ${reason}`, ...extra });
}

/**
 * A stand-in for the other side of the `Core` interface: accepts one token and one key, answers with the constants
 * above, and remembers what the RPC methods were given. Any operation can be replaced.
 */
export function createFakeCore(overrides: Partial<Core> = {}): Core & { sponsorshipRequests: SponsorshipRequest[] } {
  const sponsorshipRequests: SponsorshipRequest[] = [];
  const unused = async () => refusal('INTERNAL');
  return {
    sponsorshipRequests,
    createAccount: unused,
    listAccounts: unused,
    issueAuthToken: unused,
    listAuthTokens: unused,
    revokeAuthToken: unused,
    async authenticate(input) {
      if (input.authToken !== authToken) return refusal('UNAUTHENTICATED');
      if (input.apiKey === undefined) return accept({ accountId: 'account' });
      return input.apiKey === apiKey ? accept({ accountId: 'account', paymasterId }) : refusal('API_KEY_NOT_ACCEPTED');
    },
    createPaymaster: async () => accept(paymaster),
    listPaymasters: async () => accept([paymaster]),
    registerContract: async () => accept(contract),
    listContracts: async () => accept([contract]),
    updateContract: async () => accept(contract),
    deleteContract: async () => accept(contract),
    createWebhook: async () => accept(webhook),
    listWebhooks: async () => accept([webhook]),
    updateWebhook: async () => accept(webhook),
    deleteWebhook: async () => accept(webhook),
    readWebhookSecret: async () => accept({ secret: 'whsec_old' }),
    rotateWebhookSecret: async () => accept({ secret: 'whsec_new' }),
    createFundingMessage: async () => accept({ fundingMessage: 'line one\nline two' }),
    setFundingWallet: async () => accept(paymaster),
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
    getPaymasterStubData: unused,
    getPaymasterData: unused,
    quoteTokenRates: unused,
    listSupportedTokens: unused,
    listEntryPoints: unused,
    readGasTank: async () => accept(gasTank),
    listGasTankEntries: async () => accept([gasTankEntry]),
    adjustTank: unused,
    checkLedger: async () => accept([]),
    status: async () => [{ part: 'store', ready: true, detail: 'open' }],
    ...overrides,
  };
}
