import { StringListSchema } from '../../../proto/gen/tollfree/core/v1/string_list_pb.ts';
import {
  SupportedTokenListSchema,
  SupportedTokenSchema,
  TokenRateQuoteListSchema,
  TokenRateQuoteSchema,
} from '../../../proto/gen/tollfree/core/v1/token_information_pb.ts';
import type { SupportedToken, TokenRateQuote } from '../../domain/paymaster-data.ts';
import { address } from '../codec/address.ts';
import { decimal } from '../codec/decimal.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { soleField } from '../codec/sole-field.ts';

const tokenRateQuote = messageOf<TokenRateQuote>()(TokenRateQuoteSchema, {
  token: address,
  paymaster: address,
  exchangeRate: decimal,
  postOpGas: decimal,
  nativeUsdMicros: decimal,
});
export const tokenRateQuotes = soleField(TokenRateQuoteListSchema, listOf(tokenRateQuote));

const supportedToken = messageOf<SupportedToken>()(SupportedTokenSchema, { address });
export const supportedTokens = soleField(SupportedTokenListSchema, listOf(supportedToken));

export const entryPoints = soleField(StringListSchema, listOf(address));
