import {
  FeeQuoteOrDataSchema,
  FeeQuoteSchema,
  GetFeeQuoteOrDataRequestSchema,
  SignedPaymasterDataSchema,
  SponsorshipRequestSchema,
  SponsorUserOperationRequestSchema,
  TokenQuotesSchema,
} from '../../../proto/gen/tollfree/core/v1/sponsorship_pb.ts';
import { entryPointVersions } from '../../domain/entry-point-version.ts';
import {
  type FeeQuote,
  type SignedPaymasterData,
  type SponsorshipRequest,
  sponsorshipModes,
  type TokenQuotes,
} from '../../domain/sponsorship.ts';
import { address } from '../codec/address.ts';
import { alternatives } from '../codec/alternatives.ts';
import { chainId } from '../codec/chain-id.ts';
import { decimal } from '../codec/decimal.ts';
import { hex } from '../codec/hex.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { absentAs, required } from '../codec/presence.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';
import { tagged } from '../codec/tagged.ts';
import { arrival } from './arrival-message.ts';
import { emptyContext, sponsorshipContext } from './sponsorship-context-messages.ts';
import { gasLimits, rawUserOperation } from './user-operation-messages.ts';

export const sponsorshipRequest = messageOf<SponsorshipRequest>()(SponsorshipRequestSchema, {
  chainId,
  userOperation: absentAs({}, rawUserOperation),
  context: absentAs(emptyContext, sponsorshipContext),
  arrival,
});

/** What a request message without its one field means: refused by the core, not a broken call. */
export const emptyRequest: SponsorshipRequest = { apiKey: '', chainId: 0, userOperation: {}, context: emptyContext };
const orEmpty = absentAs(emptyRequest, sponsorshipRequest);

export const feeQuoteOrDataRequest = soleField(GetFeeQuoteOrDataRequestSchema, orEmpty);
export const sponsorUserOperationRequest = soleField(SponsorUserOperationRequestSchema, orEmpty);

export const signedPaymasterData = tagged(
  'signed',
  messageOf<Omit<SignedPaymasterData, 'kind'>>()(SignedPaymasterDataSchema, {
    mode: oneOf(sponsorshipModes),
    entryPointVersion: oneOf(entryPointVersions),
    paymaster: address,
    paymasterAndData: hex,
    paymasterData: hex,
    paymasterSignature: hex,
    gas: required(gasLimits),
    validUntil: seconds,
  }),
);

const feeQuote = messageOf<FeeQuote>()(FeeQuoteSchema, {
  tokenAddress: address,
  maxGasFee: decimal,
  maxGasFeeUsdMicros: decimal,
  exchangeRate: decimal,
  validUntil: seconds,
});
const tokenQuotes = tagged(
  'quotes',
  messageOf<Omit<TokenQuotes, 'kind'>>()(TokenQuotesSchema, {
    paymasterAddress: address,
    feeQuotes: listOf(feeQuote),
  }),
);

export const feeQuoteOrData = alternatives<SignedPaymasterData | TokenQuotes>()(FeeQuoteOrDataSchema, 'answer', {
  signed: signedPaymasterData,
  quotes: tokenQuotes,
});
