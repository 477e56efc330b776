import { StringListSchema } from '../../../proto/gen/tollfree/core/v1/string_list_pb.ts';
import {
  PaymasterDescriptionSchema,
  PricedTokenSchema,
  StubFieldsSchema,
  SupportedTokenListSchema,
  SupportedTokenSchema,
  TokenRateQuoteListSchema,
  TokenRateQuoteSchema,
} from '../../../proto/gen/tollfree/core/v1/token_information_pb.ts';
import { entryPointVersions } from '../../domain/entry-point-version.ts';
import type { PaymasterDescription, StubFields, SupportedToken, TokenRateQuote } from '../../domain/paymaster-data.ts';
import { address } from '../codec/address.ts';
import { decimal } from '../codec/decimal.ts';
import { hex } from '../codec/hex.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { required } from '../codec/presence.ts';
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

const stubFields = messageOf<StubFields>()(StubFieldsSchema, {
  entryPointVersion: oneOf(entryPointVersions),
  paymaster: address,
  paymasterAndData: hex,
  paymasterData: hex,
  paymasterVerificationGasLimit: decimal,
  paymasterPostOpGasLimit: decimal,
});
const pricedToken = messageOf<PaymasterDescription['tokens'][number]>()(PricedTokenSchema, {
  address,
  exchangeRate: decimal,
});
export const paymasterDescription = messageOf<PaymasterDescription>()(PaymasterDescriptionSchema, {
  stub: required(stubFields),
  tokens: listOf(pricedToken),
});
