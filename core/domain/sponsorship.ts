import { decisionModes } from '@tollfree/contract/decision-fields';
import { z } from 'zod';
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
import { entryPointVersions } from './entry-point-version.ts';
import { ArrivalSchema } from './keys/arrival.ts';
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

/** Which tokens the user would pay with, as sent. */
const TokenInfoSchema = message('TokenInfo', {
  preferredToken: text.exactOptional(),
  tokenList: optionalListOf(text),
  feeTokenAddress: text.exactOptional(),
});

/** A permit for the paymaster contract that the sender has signed (EIP-2612), as sent. */
const TokenPermitSchema = message('TokenPermit', {
  /** Base units of the token. */
  value: text.exactOptional(),
  deadline: text.exactOptional(),
  signature: text.exactOptional(),
});

/** `params[1]` of the interface's RPC methods, as sent. `webhookDataJson` is the caller's object as JSON text. */
export const SponsorshipContextSchema = message('SponsorshipContext', {
  /** `SPONSORED` (also `SPONSORSHIP`) or `ERC20`. Absent: the service chooses, where the call allows it. */
  mode: text.exactOptional(),
  /** The named policy that is to decide; without it, or empty, the default one. */
  policyId: text.exactOptional(),
  /** Absent means true: the service estimates the gas limits. */
  calculateGasLimits: flag.exactOptional(),
  /** With estimated limits: those of the operation are kept where they suffice and are not far above the need. */
  keepsGivenLimits: flag.exactOptional(),
  /** Wished lifetime of the signature or quote, in seconds; clamped to the operator's bounds. */
  expiryDuration: seconds.exactOptional(),
  /**
   * The caller's object as JSON text, passed on to the webhooks as it is: never a Struct, whose numbers are doubles.
   */
  webhookDataJson: text.exactOptional(),
  /** Whether the caller sent `sponsorshipInfo` at all. */
  sponsorshipInfoGiven: flag,
  /** A signed JWT that the user has from the application, as sent. */
  ticket: text.exactOptional(),
  /**
   * Wish of the client to sign while the paymaster does, with a signature of the paymaster's apart (EntryPoint 0.9).
   */
  parallelSigning: flag.exactOptional(),
  smartAccountInfo: SmartAccountInfoSchema.exactOptional(),
  /** Absent when the caller sent none. */
  tokenInfo: TokenInfoSchema.exactOptional(),
  /** A permit for the paymaster contract that the sender has signed (EIP-2612), as sent. */
  permit: TokenPermitSchema.exactOptional(),
});
export type SponsorshipContext = z.output<typeof SponsorshipContextSchema>;

/** What a caller that sends no context means. */
export const emptyContext: SponsorshipContext = { sponsorshipInfoGiven: false };

/** A request for paymaster data or quotes. */
export const SponsorshipRequestSchema = message('SponsorshipRequest', {
  /** Identifies the paymaster. */
  apiKey: text,
  /** EIP-155 chain id; must be the paymaster's own. 0 stands for a number that cannot be one. */
  chainId,
  /** Absent is read as an operation without fields. */
  userOperation: RawUserOperationSchema.default({}),
  /** Absent is read as a context without fields. */
  context: SponsorshipContextSchema.default(emptyContext),
  /** Whom the gateway counts the request under: an address or a network. Absent for internal callers. */
  clientAddress: text.exactOptional(),
  /** Absent for internal callers. A key that is bound to something of it is then refused. */
  arrival: ArrivalSchema.exactOptional(),
});
export type SponsorshipRequest = z.output<typeof SponsorshipRequestSchema>;

/** What a message without a request means: refused by the core, not a broken call. */
export const emptyRequest: SponsorshipRequest = { apiKey: '', chainId: 0, userOperation: {}, context: emptyContext };

/** Signed paymaster data (interface 2.5). For 0.7 and up `paymasterAndData` is the packed form of the parts. */
export const SignedPaymasterDataSchema = message('SignedPaymasterData', {
  kind: z.literal('signed'),
  mode: z.enum(decisionModes),
  entryPointVersion: z.enum(entryPointVersions),
  paymaster: address,
  /** As EntryPoint 0.6 takes it; from 0.7 on the packed form of the parts. */
  paymasterAndData: hex,
  /** The tail of `paymaster_and_data` that belongs to the contract. */
  paymasterData: hex,
  /** The paymaster's signature where it is no part of what the account signs, and then not in `paymaster_data`. */
  paymasterSignature: hex.exactOptional(),
  gas: GasLimitsSchema,
  /** Unix seconds, never 0. */
  validUntil: seconds,
  /** Names the decision in the logs of the service. */
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
  /** The same in millionths of a US dollar, rounded up. */
  maxGasFeeUsdMicros: amount,
  /** Token base units for 10^18 wei, premium not included; of a share the user's part. */
  exchangeRate: amount,
  /** Basis points over the plain price, e.g. 1000 for 10 %. */
  premiumBasisPoints: integer,
  validUntil: seconds,
  logoUrl: text,
  /** What the user pays of the gas, in percent, where the rest is sponsored; the quote is of that part. Absent: all. */
  userPaysPercent: integer.exactOptional(),
});
export type FeeQuote = z.output<typeof FeeQuoteSchema>;

/** Prices of an operation in tokens. */
const TokenQuotesSchema = message('TokenQuotes', {
  kind: z.literal('quotes'),
  paymasterAddress: address,
  feeQuotes: listOf(FeeQuoteSchema),
  /** Requested tokens the service does not take, as they were sent. */
  unsupportedTokens: listOf(text),
  /** Names the decision in the logs of the service. */
  decisionId: text,
});
export type TokenQuotes = z.output<typeof TokenQuotesSchema>;

/** Signed paymaster data, or prices to choose from. */
export const FeeQuoteOrDataSchema = asMessage(
  'FeeQuoteOrData',
  withTraits(z.discriminatedUnion('kind', [SignedPaymasterDataSchema, TokenQuotesSchema]), { oneof: 'answer' }),
);
