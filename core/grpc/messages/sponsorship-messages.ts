import {
  FeeQuoteOrDataSchema,
  FeeQuoteSchema,
  GetFeeQuoteOrDataRequestSchema,
  SignedPaymasterDataSchema,
  type SponsorshipRequest as SponsorshipRequestMessage,
  SponsorshipRequestSchema,
  SponsorUserOperationRequestSchema,
  TokenQuotesSchema,
} from '../../../proto/gen/tollfree/core/v1/sponsorship_pb.ts';
import { entryPointVersions } from '../../domain/entry-point-version.ts';
import type { FeeQuote, SignedPaymasterData, SponsorshipRequest, TokenQuotes } from '../../domain/sponsorship.ts';
import type { Input, Value } from '../operation-types.ts';
import { converter } from './converter.ts';
import {
  readAddress,
  readBigint,
  readChainId,
  readHex,
  readOneOf,
  readSeconds,
  writeBigint,
  writeChainId,
  writeSeconds,
} from './scalars.ts';
import { sponsorshipContextConverter } from './sponsorship-context-messages.ts';
import { gasLimitsConverter, userOperationConverter } from './user-operation-messages.ts';

export const sponsorshipRequestConverter = converter(
  SponsorshipRequestSchema,
  ({ apiKey, chainId, userOperation, context }: SponsorshipRequest) => ({
    apiKey,
    chainId: writeChainId(chainId),
    userOperation: userOperationConverter.toMessage(userOperation),
    context: sponsorshipContextConverter.toMessage(context),
  }),
  ({ apiKey, chainId, userOperation, context }): SponsorshipRequest => ({
    apiKey,
    chainId: readChainId(chainId),
    userOperation: userOperation === undefined ? {} : userOperationConverter.toDomain(userOperation),
    context: context === undefined ? { sponsorshipInfoGiven: false } : sponsorshipContextConverter.toDomain(context),
  }),
);

/** A request message without its one field is an empty request: refused by the core, not a broken call. */
export function readSponsorshipRequest(message: SponsorshipRequestMessage | undefined): SponsorshipRequest {
  if (message !== undefined) return sponsorshipRequestConverter.toDomain(message);
  return { apiKey: '', chainId: 0, userOperation: {}, context: { sponsorshipInfoGiven: false } };
}

export const getFeeQuoteOrDataInput = converter(
  GetFeeQuoteOrDataRequestSchema,
  (request: Input<'getFeeQuoteOrData'>) => ({ request: sponsorshipRequestConverter.toMessage(request) }),
  ({ request }): Input<'getFeeQuoteOrData'> => readSponsorshipRequest(request),
);

export const sponsorUserOperationInput = converter(
  SponsorUserOperationRequestSchema,
  (request: Input<'sponsorUserOperation'>) => ({ request: sponsorshipRequestConverter.toMessage(request) }),
  ({ request }): Input<'sponsorUserOperation'> => readSponsorshipRequest(request),
);

export const signedPaymasterDataConverter = converter(
  SignedPaymasterDataSchema,
  ({ kind: _, ...signed }: SignedPaymasterData) => ({
    ...signed,
    gas: gasLimitsConverter.toMessage(signed.gas),
    validUntil: writeSeconds(signed.validUntil),
  }),
  (message): SignedPaymasterData => {
    if (message.gas === undefined) throw new TypeError('signed paymaster data came without gas limits');
    return {
      kind: 'signed',
      mode: readOneOf(['SPONSORED', 'ERC20'], message.mode),
      entryPointVersion: readOneOf(entryPointVersions, message.entryPointVersion),
      paymaster: readAddress(message.paymaster),
      paymasterAndData: readHex(message.paymasterAndData),
      paymasterData: readHex(message.paymasterData),
      gas: gasLimitsConverter.toDomain(message.gas),
      validUntil: readSeconds(message.validUntil),
      decisionId: message.decisionId,
    };
  },
);

const feeQuoteConverter = converter(
  FeeQuoteSchema,
  (quote: FeeQuote) => ({
    ...quote,
    maxGasFee: writeBigint(quote.maxGasFee),
    maxGasFeeUsdMicros: writeBigint(quote.maxGasFeeUsdMicros),
    exchangeRate: writeBigint(quote.exchangeRate),
    validUntil: writeSeconds(quote.validUntil),
  }),
  (message): FeeQuote => ({
    symbol: message.symbol,
    decimal: message.decimal,
    tokenAddress: readAddress(message.tokenAddress),
    maxGasFee: readBigint(message.maxGasFee),
    maxGasFeeUsdMicros: readBigint(message.maxGasFeeUsdMicros),
    exchangeRate: readBigint(message.exchangeRate),
    premiumBasisPoints: message.premiumBasisPoints,
    validUntil: readSeconds(message.validUntil),
    logoUrl: message.logoUrl,
  }),
);

const tokenQuotesConverter = converter(
  TokenQuotesSchema,
  ({ kind: _, ...quotes }: TokenQuotes) => ({
    ...quotes,
    feeQuotes: quotes.feeQuotes.map(feeQuoteConverter.toMessage),
    unsupportedTokens: [...quotes.unsupportedTokens],
  }),
  (message): TokenQuotes => ({
    kind: 'quotes',
    paymasterAddress: readAddress(message.paymasterAddress),
    feeQuotes: message.feeQuotes.map(feeQuoteConverter.toDomain),
    unsupportedTokens: message.unsupportedTokens,
    decisionId: message.decisionId,
  }),
);

export const feeQuoteOrDataConverter = converter(
  FeeQuoteOrDataSchema,
  (value: Value<'getFeeQuoteOrData'>) => ({
    answer:
      value.kind === 'signed'
        ? { case: 'signed' as const, value: signedPaymasterDataConverter.toMessage(value) }
        : { case: 'quotes' as const, value: tokenQuotesConverter.toMessage(value) },
  }),
  ({ answer }): Value<'getFeeQuoteOrData'> => {
    switch (answer.case) {
      case 'signed':
        return signedPaymasterDataConverter.toDomain(answer.value);
      case 'quotes':
        return tokenQuotesConverter.toDomain(answer.value);
      default:
        throw new TypeError('a sponsorship answer came with neither data nor quotes');
    }
  },
);
