import fc from 'fast-check';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { Arrival } from '../../core/domain/keys/arrival.ts';
import type {
  PaymasterDataRequest,
  PaymasterDescription,
  PaymasterStub,
  TokenRateQuote,
} from '../../core/domain/paymaster-data.ts';
import type { SignedPaymasterData, SponsorshipRequest, TokenQuotes } from '../../core/domain/sponsorship.ts';
import type { GasLimits, RawUserOperation } from '../../core/domain/user-operation.ts';
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

export const userOperation: fc.Arbitrary<RawUserOperation> = optional<Required<RawUserOperation>>({
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
  paymasterSignature: text,
  signature: text,
  eip7702Auth: optional({ address: text, chainId: text, nonce: text, r: text, s: text, yParity: text }),
});
const gas: fc.Arbitrary<GasLimits> = complete({
  callGasLimit: amount,
  verificationGasLimit: amount,
  preVerificationGas: amount,
  paymasterVerificationGasLimit: amount,
  paymasterPostOpGasLimit: amount,
});
export const arrival: fc.Arbitrary<Arrival> = withOptional({ method: text }, { origin: text, address: text });
export const request: fc.Arbitrary<SponsorshipRequest> = withOptional(
  {
    apiKey: text,
    chainId,
    userOperation,
    context: withOptional(
      { sponsorshipInfoGiven: fc.boolean() },
      {
        mode: text,
        ticket: text,
        policyId: text,
        calculateGasLimits: fc.boolean(),
        expiryDuration: fc.maxSafeInteger(),
        parallelSigning: fc.boolean(),
        webhookDataJson: json,
        smartAccountInfo: complete({ name: text, version: text }),
        tokenInfo: optional({ preferredToken: text, tokenList: texts, feeTokenAddress: text }),
        permit: optional({ value: text, deadline: text, signature: text }),
      },
    ),
  },
  { arrival },
);
export const signed: fc.Arbitrary<SignedPaymasterData> = withOptional(
  {
    kind: fc.constant('signed' as const),
    mode: fc.constantFrom('SPONSORED' as const, 'ERC20' as const),
    entryPointVersion: fc.constantFrom(...entryPointVersions),
    paymaster: address,
    paymasterAndData: hex,
    paymasterData: hex,
    gas,
    validUntil: time,
    decisionId: text,
  },
  { paymasterSignature: hex },
);
export const quotes: fc.Arbitrary<TokenQuotes> = complete({
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

export const paymasterDataRequest: fc.Arbitrary<PaymasterDataRequest> = fc
  .tuple(request, text)
  .map(([base, entryPoint]) => ({ ...base, entryPoint }));
const stubFields = {
  entryPointVersion: fc.constantFrom(...entryPointVersions),
  paymaster: address,
  paymasterAndData: hex,
  paymasterData: hex,
  paymasterVerificationGasLimit: amount,
  paymasterPostOpGasLimit: amount,
};
export const stub: fc.Arbitrary<PaymasterStub> = withOptional(
  {
    kind: fc.constant('stub' as const),
    mode: fc.constantFrom('SPONSORED' as const, 'ERC20' as const),
    ...stubFields,
    decisionId: text,
  },
  { sponsorName: text, sponsorIcon: text, paymasterSignature: hex },
);
const pricedToken = complete({
  address,
  symbol: text,
  decimals: fc.integer({ min: 0, max: 255 }),
  exchangeRate: amount,
});
export const description: fc.Arbitrary<PaymasterDescription> = complete({
  name: text,
  stub: complete(stubFields),
  tokens: fc.array(pricedToken, { maxLength: 3 }),
});
export const tokenRate: fc.Arbitrary<TokenRateQuote> = complete({
  token: address,
  paymaster: address,
  exchangeRate: amount,
  postOpGas: amount,
  nativeUsdMicros: amount,
});
