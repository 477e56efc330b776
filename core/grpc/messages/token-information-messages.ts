import type { Address } from 'viem';
import { StringListSchema } from '../../../proto/gen/tollfree/core/v1/string_list_pb.ts';
import {
  ListEntryPointsRequestSchema,
  ListSupportedTokensRequestSchema,
  QuoteTokenRatesRequestSchema,
  SupportedTokenListSchema,
  SupportedTokenSchema,
  TokenRateQuoteListSchema,
  TokenRateQuoteSchema,
} from '../../../proto/gen/tollfree/core/v1/token_information_pb.ts';
import type { SupportedToken, TokenRateQuote } from '../../domain/paymaster-data.ts';
import type { Input } from '../operation-types.ts';
import { converter } from './converter.ts';
import { readAddress, readBigint, readChainId, writeBigint, writeChainId } from './scalars.ts';

export const quoteTokenRatesInput = converter(
  QuoteTokenRatesRequestSchema,
  ({ apiKey, chainId, entryPoint, tokens }: Input<'quoteTokenRates'>) => ({
    apiKey,
    chainId: writeChainId(chainId),
    entryPoint,
    tokens: [...tokens],
  }),
  ({ apiKey, chainId, entryPoint, tokens }): Input<'quoteTokenRates'> => ({
    apiKey,
    chainId: readChainId(chainId),
    entryPoint,
    tokens,
  }),
);

const tokenRateQuoteConverter = converter(
  TokenRateQuoteSchema,
  (quote: TokenRateQuote) => ({
    token: quote.token,
    paymaster: quote.paymaster,
    exchangeRate: writeBigint(quote.exchangeRate),
    postOpGas: writeBigint(quote.postOpGas),
    nativeUsdMicros: writeBigint(quote.nativeUsdMicros),
  }),
  (message): TokenRateQuote => ({
    token: readAddress(message.token),
    paymaster: readAddress(message.paymaster),
    exchangeRate: readBigint(message.exchangeRate),
    postOpGas: readBigint(message.postOpGas),
    nativeUsdMicros: readBigint(message.nativeUsdMicros),
  }),
);

export const tokenRateQuoteListConverter = converter(
  TokenRateQuoteListSchema,
  (quotes: readonly TokenRateQuote[]) => ({ quotes: quotes.map(tokenRateQuoteConverter.toMessage) }),
  ({ quotes }): readonly TokenRateQuote[] => quotes.map(tokenRateQuoteConverter.toDomain),
);

export const listSupportedTokensInput = converter(
  ListSupportedTokensRequestSchema,
  ({ apiKey, chainId }: Input<'listSupportedTokens'>) => ({ apiKey, chainId: writeChainId(chainId) }),
  ({ apiKey, chainId }): Input<'listSupportedTokens'> => ({ apiKey, chainId: readChainId(chainId) }),
);

const supportedTokenConverter = converter(
  SupportedTokenSchema,
  (token: SupportedToken) => token,
  ({ address, symbol, decimals }): SupportedToken => ({ address: readAddress(address), symbol, decimals }),
);

export const supportedTokenListConverter = converter(
  SupportedTokenListSchema,
  (tokens: readonly SupportedToken[]) => ({ tokens: tokens.map(supportedTokenConverter.toMessage) }),
  ({ tokens }): readonly SupportedToken[] => tokens.map(supportedTokenConverter.toDomain),
);

export const listEntryPointsInput = converter(
  ListEntryPointsRequestSchema,
  ({ apiKey, chainId }: Input<'listEntryPoints'>) => ({ apiKey, chainId: writeChainId(chainId) }),
  ({ apiKey, chainId }): Input<'listEntryPoints'> => ({ apiKey, chainId: readChainId(chainId) }),
);

export const entryPointListConverter = converter(
  StringListSchema,
  (addresses: readonly Address[]) => ({ values: [...addresses] }),
  ({ values }): readonly Address[] => values.map(readAddress),
);
