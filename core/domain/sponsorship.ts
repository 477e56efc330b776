import { decisionModes } from '@tollfree/contract/decision-fields';
import * as api from '@tollfree/contract/rpc/sponsorship-context';
import { z } from 'zod';
import { textsOfApi } from '../base/fields-of-api.ts';
import {
  address,
  amount,
  asMessage,
  chainId,
  flag,
  hex,
  integer,
  listOf,
  message,
  optionalListOf,
  seconds,
  text,
  withTraits,
} from '../base/message-schema.ts';
import { ArrivalSchema } from './arrival.ts';
import { entryPointVersions } from './entry-point-version.ts';
import { GasLimitsSchema, RawUserOperationSchema } from './user-operation.ts';

/** Who pays: the paymaster, or the user in a token. */
export { decisionModes as sponsorshipModes };
export type SponsorshipMode = (typeof decisionModes)[number];

/** A smart account kind that the service can decode. */
const SmartAccountInfoSchema = message('SmartAccountInfo', {
  /** E.g. `BICONOMY`. */
  name: text,
  /** E.g. `2.0.0`. */
  version: text,
});

/** The tokens with which the user would pay, as sent. */
const TokenInfoSchema = message('TokenInfo', {
  preferredToken: text.exactOptional(),
  tokenList: optionalListOf(text),
  feeTokenAddress: text.exactOptional(),
});

/** A permit for the paymaster contract that the sender has signed (EIP-2612), as sent. */
const TokenPermitSchema = message('TokenPermit', textsOfApi(api.TokenPermitSchema));

/** `params[1]` of the interface's RPC methods, as sent. `webhookDataJson` is the caller's object as JSON text. */
export const SponsorshipContextSchema = message('SponsorshipContext', {
  /** `SPONSORED` (also `SPONSORSHIP`) or `ERC20`. Absent: the service chooses, where the call allows it. */
  mode: text.exactOptional(),
  /** The named policy that should decide; the default policy if absent or empty. */
  policyId: text.exactOptional(),
  /** Absent means true: the service estimates the gas limits. */
  calculateGasLimits: flag.exactOptional(),
  /** With estimated limits: the operation's own limits are kept if they suffice and are not far above the need. */
  keepsGivenLimits: flag.exactOptional(),
  /** Requested lifetime of the signature or quote, in seconds; refused outside the bounds. Token mode shortens a longer one. */
  expiryDuration: seconds.exactOptional(),
  /** The caller's object as JSON text, passed on to the webhooks unchanged. Never a Struct, whose numbers are doubles. */
  webhookDataJson: text.exactOptional(),
  /** Whether the caller sent `sponsorshipInfo` at all. */
  sponsorshipInfoGiven: flag,
  /** A signed JWT that the application gave to the user, as sent. */
  ticket: text.exactOptional(),
  /** Request of the client to sign in parallel with the paymaster, with a separate paymaster signature (EntryPoint 0.9). */
  parallelSigning: flag.exactOptional(),
  smartAccountInfo: SmartAccountInfoSchema.exactOptional(),
  /** Absent when the caller sent none. */
  tokenInfo: TokenInfoSchema.exactOptional(),
  /** A permit for the paymaster contract that the sender has signed (EIP-2612), as sent. */
  permit: TokenPermitSchema.exactOptional(),
});
export type SponsorshipContext = z.output<typeof SponsorshipContextSchema>;

/** The default for a caller that sends no context. */
export const emptyContext: SponsorshipContext = { sponsorshipInfoGiven: false };

/** A request for paymaster data or quotes. */
export const SponsorshipRequestSchema = message('SponsorshipRequest', {
  /** Identifies the paymaster. */
  apiKey: text,
  /** EIP-155 chain id; must be the paymaster's own. 0 for a number that cannot be one. */
  chainId,
  /** Absent is read as an operation without fields. */
  userOperation: RawUserOperationSchema.default({}),
  /** Absent is read as a context without fields. */
  context: SponsorshipContextSchema.default(emptyContext),
  /** The address or network that the gateway counts the request for. Absent for internal callers. */
  clientAddress: text.exactOptional(),
  /** Absent for internal callers. A key restricted by it is then refused. */
  arrival: ArrivalSchema.exactOptional(),
});
export type SponsorshipRequest = z.output<typeof SponsorshipRequestSchema>;

/** The default for a message without a request: the core refuses it; the call is not broken. */
export const emptyRequest: SponsorshipRequest = { apiKey: '', chainId: 0, userOperation: {}, context: emptyContext };

/** Signed paymaster data (interface 2.5). For 0.7 and up `paymasterAndData` is the packed form of the parts. */
export const SignedPaymasterDataSchema = message('SignedPaymasterData', {
  kind: z.literal('signed'),
  mode: z.enum(decisionModes),
  entryPointVersion: z.enum(entryPointVersions),
  paymaster: address,
  /** In the form of EntryPoint 0.6; from 0.7 on the packed form of the parts. */
  paymasterAndData: hex,
  /** The tail of `paymaster_and_data` that belongs to the contract. */
  paymasterData: hex,
  /** The paymaster's signature, if the account's signature does not cover it; then it is not in `paymaster_data`. */
  paymasterSignature: hex.exactOptional(),
  gas: GasLimitsSchema,
  /** Until when the signature is valid, in Unix seconds; never 0, and 2^48 - 1 if it has no end. */
  validUntil: seconds,
  /** Identifies the decision in the logs of the service. */
  decisionId: text,
});
export type SignedPaymasterData = z.output<typeof SignedPaymasterDataSchema>;

/** One token's price for an operation (interface 2.6). */
const FeeQuoteSchema = message('FeeQuote', {
  /** E.g. `USDC`. */
  symbol: text,
  decimal: integer,
  tokenAddress: address,
  /** The most the operation can cost, premium included, in token base units, rounded up. */
  maxGasFee: amount,
  /** The most the operation can cost, premium included, in millionths of a US dollar, rounded up. */
  maxGasFeeUsdMicros: amount,
  /** Token base units for 10^18 wei, excluding the premium; for a share, the user's part. */
  exchangeRate: amount,
  /** Basis points above the plain price, e.g. 1000 for 10 %. */
  premiumBasisPoints: integer,
  /** Until when a signature costs the user no more than this quote, in Unix seconds. */
  validUntil: seconds,
  logoUrl: text,
  /** The user's share of the gas in percent, if the rest is sponsored; the quote covers that share. Absent: all. */
  userPaysPercent: integer.exactOptional(),
});
export type FeeQuote = z.output<typeof FeeQuoteSchema>;

/** Prices of an operation in tokens. */
const TokenQuotesSchema = message('TokenQuotes', {
  kind: z.literal('quotes'),
  paymasterAddress: address,
  feeQuotes: listOf(FeeQuoteSchema),
  /** Requested tokens the service does not accept, as they were sent. */
  unsupportedTokens: listOf(text),
  /** Identifies the decision in the logs of the service. */
  decisionId: text,
});
export type TokenQuotes = z.output<typeof TokenQuotesSchema>;

/** Signed paymaster data, or prices to choose from. */
export const FeeQuoteOrDataSchema = asMessage(
  'FeeQuoteOrData',
  withTraits(z.discriminatedUnion('kind', [SignedPaymasterDataSchema, TokenQuotesSchema]), { oneof: 'answer' }),
);
