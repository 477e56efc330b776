import fc from 'fast-check';
import { type Address, getAddress, type Hex } from 'viem';
import type { AuthTokenRecord } from '../../core/domain/account.ts';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { GasTank, GasTankEntry } from '../../core/domain/gas-tank.ts';
import type { LedgerReport } from '../../core/domain/ledger-report.ts';
import type { Paymaster } from '../../core/domain/paymaster.ts';
import type { PaymasterDataRequest, PaymasterStub, TokenRateQuote } from '../../core/domain/paymaster-data.ts';
import { managementReasons, type Refusal, sponsorshipReasons } from '../../core/domain/refusal.ts';
import type { SmartContract } from '../../core/domain/smart-contract.ts';
import type { SignedPaymasterData, SponsorshipRequest, TokenQuotes } from '../../core/domain/sponsorship.ts';
import type { GasLimits, RawUserOperation } from '../../core/domain/user-operation.ts';
import type { Webhook } from '../../core/domain/webhook.ts';
import type { Input, OperationName, Value } from '../../core/grpc/operation-types.ts';

/** All of Unicode but half surrogates, which no protocol carries. */
const text = fc.string({ unit: 'binary', maxLength: 20 });
const texts = fc.array(text, { maxLength: 4 });
const hex: fc.Arbitrary<Hex> = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
const address: fc.Arbitrary<Address> = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`));
const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, 2n ** 53n + 1n, 2n ** 64n, 2n ** 256n - 1n),
);
const chainId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const time = fc.maxSafeNat();
const json = fc.oneof(fc.json(), fc.constant('{"n":123456789012345678901234567890.5e-3,"\\ud800":"é😀"}'));

type Fields<T> = { [K in keyof T]: fc.Arbitrary<T[K]> };

function complete<T>(fields: Fields<T>): fc.Arbitrary<T> {
  return fc.record<T>(fields, { noNullPrototype: true });
}

/** An object whose keys are there or not: never there and `undefined`. */
function optional<T>(fields: Fields<T>): fc.Arbitrary<Partial<T>> {
  const subset = fc.record(fields, { requiredKeys: [], noNullPrototype: true });
  return subset as fc.Arbitrary<Partial<T>>; // the library's own type is this one, spelled in a way that does not reduce
}

function withOptional<R, O>(required: Fields<R>, others: Fields<O>): fc.Arbitrary<R & Partial<O>> {
  return fc.tuple(complete<R>(required), optional<O>(others)).map(([base, extra]) => ({ ...base, ...extra }));
}

const account = complete({ accountId: text, name: text, createdAt: time });
const record: fc.Arbitrary<AuthTokenRecord> = withOptional(
  { authTokenId: text, name: text, createdAt: time },
  { expiresAt: time, revokedAt: time },
);
const paymaster: fc.Arbitrary<Paymaster> = withOptional(
  { paymasterId: text, accountId: text, name: text, chainId, version: text, apiKey: text },
  { fundingWallet: address },
);
const contract: fc.Arbitrary<SmartContract> = complete({
  name: text,
  address,
  abi: json,
  whitelistedMethods: texts,
  methods: texts,
});
const webhook: fc.Arbitrary<Webhook> = complete({
  webhookId: text,
  webhookUrl: text,
  requestType: fc.constantFrom('GET' as const, 'POST' as const),
  active: fc.boolean(),
});
const userOperation: fc.Arbitrary<RawUserOperation> = optional<Required<RawUserOperation>>({
  sender: text,
  nonce: text,
  initCode: text,
  factory: text,
  factoryData: text,
  callData: text,
  callGasLimit: text,
  verificationGasLimit: text,
  preVerificationGas: text,
  maxFeePerGas: text,
  maxPriorityFeePerGas: text,
  paymasterAndData: text,
  paymaster: text,
  paymasterData: text,
  paymasterVerificationGasLimit: text,
  paymasterPostOpGasLimit: text,
  signature: text,
});
const gas: fc.Arbitrary<GasLimits> = complete({
  callGasLimit: amount,
  verificationGasLimit: amount,
  preVerificationGas: amount,
  paymasterVerificationGasLimit: amount,
  paymasterPostOpGasLimit: amount,
});
const request: fc.Arbitrary<SponsorshipRequest> = complete({
  apiKey: text,
  chainId,
  userOperation,
  context: withOptional(
    { sponsorshipInfoGiven: fc.boolean() },
    {
      mode: text,
      calculateGasLimits: fc.boolean(),
      expiryDuration: fc.maxSafeInteger(),
      webhookDataJson: json,
      smartAccountInfo: complete({ name: text, version: text }),
      tokenInfo: optional({ preferredToken: text, tokenList: texts, feeTokenAddress: text }),
    },
  ),
});
const signed: fc.Arbitrary<SignedPaymasterData> = complete({
  kind: fc.constant('signed' as const),
  mode: fc.constantFrom('SPONSORED' as const, 'ERC20' as const),
  entryPointVersion: fc.constantFrom(...entryPointVersions),
  paymaster: address,
  paymasterAndData: hex,
  paymasterData: hex,
  gas,
  validUntil: time,
  decisionId: text,
});
const quotes: fc.Arbitrary<TokenQuotes> = complete({
  kind: fc.constant('quotes' as const),
  paymasterAddress: address,
  feeQuotes: fc.array(
    complete({
      symbol: text,
      decimal: fc.integer({ min: 0, max: 255 }),
      tokenAddress: address,
      maxGasFee: amount,
      maxGasFeeUsdMicros: amount,
      exchangeRate: amount,
      premiumBasisPoints: fc.integer({ min: 0, max: 100_000 }),
      validUntil: time,
      logoUrl: text,
    }),
    { maxLength: 3 },
  ),
  unsupportedTokens: texts,
  decisionId: text,
});

const paymasterDataRequest: fc.Arbitrary<PaymasterDataRequest> = fc
  .tuple(request, text)
  .map(([base, entryPoint]) => ({ ...base, entryPoint }));
const stub: fc.Arbitrary<PaymasterStub> = withOptional(
  {
    kind: fc.constant('stub' as const),
    mode: fc.constantFrom('SPONSORED' as const, 'ERC20' as const),
    entryPointVersion: fc.constantFrom(...entryPointVersions),
    paymaster: address,
    paymasterAndData: hex,
    paymasterData: hex,
    paymasterVerificationGasLimit: amount,
    paymasterPostOpGasLimit: amount,
    decisionId: text,
  },
  { sponsorName: text },
);
const tokenRate: fc.Arbitrary<TokenRateQuote> = complete({
  token: address,
  paymaster: address,
  exchangeRate: amount,
  postOpGas: amount,
  nativeUsdMicros: amount,
});
const paymasterKey = { apiKey: text, chainId };

const owned = { accountId: text, paymasterId: text };
const ownedWebhook = complete({ ...owned, webhookId: text });
const secret = complete({ secret: text });

const gasTank: fc.Arbitrary<GasTank> = withOptional(
  { chainId, contract: address, funded: amount, settled: amount, held: amount, available: amount },
  { fundingWallet: address, chainDeposit: amount, daysLeft: fc.maxSafeNat() },
);
const gasTankEntry: fc.Arbitrary<GasTankEntry> = withOptional(
  {
    entryId: fc.maxSafeNat(),
    kind: fc.constantFrom('deposit', 'credit', 'debit', 'hold', 'release', 'settle'),
    amount,
    createdAt: time,
  },
  { reason: text, txHash: hex, logIndex: fc.maxSafeNat() },
);
const signedAmount = fc.oneof(
  amount,
  amount.map((value) => -value),
);
const ledgerReport: fc.Arbitrary<LedgerReport> = complete({
  chainId,
  contract: address,
  entryPoint: address,
  atBlock: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  chainDeposit: amount,
  bookDeposit: signedAmount,
  difference: signedAmount,
  unattributedDeposits: amount,
  withdrawals: amount,
  unexplainedCosts: amount,
  funded: amount,
  settled: amount,
  held: amount,
  faults: texts,
});

export const refusalArbitrary: fc.Arbitrary<Refusal> = withOptional(
  { reason: fc.constantFrom(...managementReasons, ...sponsorshipReasons), message: text },
  {
    field: text,
    details: fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,9}$/), text, { maxKeys: 3, noNullPrototype: true }),
    decisionId: text,
  },
);

/** Inputs and values of every operation; one that is missing here does not compile. */
export const operationArbitraries: {
  [Name in OperationName]: { input: fc.Arbitrary<Input<Name>>; value: fc.Arbitrary<Value<Name>> };
} = {
  createAccount: { input: complete({ name: text }), value: account },
  listAccounts: { input: fc.constant(undefined), value: fc.array(account, { maxLength: 3 }) },
  issueAuthToken: {
    input: withOptional({ accountId: text, name: text }, { expiresAt: time }),
    value: complete({ authToken: text, record }),
  },
  listAuthTokens: { input: complete({ accountId: text }), value: fc.array(record, { maxLength: 3 }) },
  revokeAuthToken: { input: complete({ accountId: text, authTokenId: text }), value: record },
  authenticate: {
    input: withOptional({ authToken: text }, { apiKey: text }),
    value: withOptional({ accountId: text }, { paymasterId: text }),
  },
  createPaymaster: {
    input: complete({ accountId: text, name: text, type: text, chainId, version: text }),
    value: paymaster,
  },
  listPaymasters: { input: complete({ accountId: text }), value: fc.array(paymaster, { maxLength: 3 }) },
  registerContract: {
    input: withOptional({ ...owned, name: text, address: text, abi: json }, { whitelistedMethods: texts }),
    value: contract,
  },
  listContracts: { input: complete(owned), value: fc.array(contract, { maxLength: 3 }) },
  updateContract: { input: complete({ ...owned, address: text, whitelistedMethods: texts }), value: contract },
  deleteContract: { input: complete({ ...owned, address: text }), value: contract },
  createWebhook: { input: complete({ ...owned, webhookUrl: text, requestType: text }), value: webhook },
  listWebhooks: { input: withOptional(owned, { webhookId: text }), value: fc.array(webhook, { maxLength: 3 }) },
  updateWebhook: { input: complete({ ...owned, webhookId: text, active: fc.boolean() }), value: webhook },
  deleteWebhook: { input: ownedWebhook, value: webhook },
  readWebhookSecret: { input: ownedWebhook, value: secret },
  rotateWebhookSecret: { input: ownedWebhook, value: secret },
  createFundingMessage: { input: complete(owned), value: complete({ fundingMessage: text }) },
  setFundingWallet: { input: complete({ ...owned, signature: text, address: text }), value: paymaster },
  getFeeQuoteOrData: { input: request, value: fc.oneof(signed, quotes) },
  sponsorUserOperation: { input: request, value: signed },
  getPaymasterStubData: { input: paymasterDataRequest, value: stub },
  getPaymasterData: { input: paymasterDataRequest, value: complete({ signed, gasEstimated: fc.boolean() }) },
  quoteTokenRates: {
    input: complete({ ...paymasterKey, entryPoint: text, tokens: texts }),
    value: fc.array(tokenRate, { maxLength: 3 }),
  },
  listSupportedTokens: {
    input: complete(paymasterKey),
    value: fc.array(complete({ address, symbol: text, decimals: fc.integer({ min: 0, max: 255 }) }), { maxLength: 3 }),
  },
  listEntryPoints: { input: complete(paymasterKey), value: fc.array(address, { maxLength: 3 }) },
  readGasTank: { input: complete(owned), value: gasTank },
  listGasTankEntries: {
    input: withOptional(owned, { beforeEntryId: fc.maxSafeNat(), limit: fc.integer({ min: 1, max: 200 }) }),
    value: fc.array(gasTankEntry, { maxLength: 3 }),
  },
  adjustTank: {
    input: complete({
      paymasterId: text,
      kind: fc.constantFrom('credit' as const, 'debit' as const),
      amount,
      reason: text,
    }),
    value: gasTank,
  },
  checkLedger: { input: fc.constant(undefined), value: fc.array(ledgerReport, { maxLength: 3 }) },
};
