import { z } from 'zod';
import {
  address,
  amount,
  fieldsOf,
  flag,
  hex,
  integer,
  listOf,
  message,
  text,
  travelsAs,
} from '../base/message-schema.ts';
import { entryPointVersions } from './entry-point-version.ts';
import {
  emptyRequest,
  SignedPaymasterDataSchema,
  type SponsorshipRequest,
  SponsorshipRequestSchema,
  sponsorshipModes,
} from './sponsorship.ts';

/**
 * A request of ERC-7677: a sponsorship request that names its EntryPoint. Where `context.smartAccountInfo` is missing the
 * account's kind is found from the calls. `context.mode` missing means `SPONSORED`, `calculateGasLimits` missing false.
 */
export type PaymasterDataRequest = SponsorshipRequest & { readonly entryPoint: string };

/** A request of ERC-7677: a sponsorship request that names its EntryPoint. */
const PaymasterDataFormSchema = message('PaymasterDataRequest', {
  /** Absent is read as an empty one. */
  request: SponsorshipRequestSchema.default(emptyRequest),
  /** As people write an address. */
  entryPoint: text,
});

export const PaymasterDataRequestSchema = travelsAs<PaymasterDataRequest, typeof PaymasterDataFormSchema>(
  PaymasterDataFormSchema,
  ({ entryPoint, ...request }) => ({ request, entryPoint }),
  ({ request, entryPoint }) => ({ ...request, entryPoint }),
).default({ ...emptyRequest, entryPoint: '' });

/** Paymaster fields to estimate an operation with: as long as the final ones, and never good for payment. */
const StubFieldsSchema = message('StubFields', {
  entryPointVersion: z.enum(entryPointVersions),
  paymaster: address,
  /** As EntryPoint 0.6 takes it; from 0.7 on the packed form of the parts. */
  paymasterAndData: hex,
  /** The tail of `paymaster_and_data` that belongs to the contract. */
  paymasterData: hex,
  /** Gas; `"0"` with EntryPoint 0.6. */
  paymasterVerificationGasLimit: amount,
  /** Gas; `"0"` with EntryPoint 0.6. */
  paymasterPostOpGasLimit: amount,
});
export type StubFields = z.output<typeof StubFieldsSchema>;

/** Paymaster fields to estimate an operation with: as long as the final ones, and never good for payment. */
export const PaymasterStubSchema = message('PaymasterStub', {
  ...fieldsOf(StubFieldsSchema),
  kind: z.literal('stub'),
  mode: z.enum(sponsorshipModes),
  /**
   * Who sponsors, to show to the user: the author of the policy, else the paymaster (DApp). Absent in token mode: the
   * user pays.
   */
  sponsorName: text.exactOptional(),
  /** A picture of the sponsor, as a data URI. Absent in token mode and where there is none. */
  sponsorIcon: text.exactOptional(),
  /**
   * Stands for the paymaster's signature where that is no part of what the account signs; `paymaster_data` is final
   * then.
   */
  paymasterSignature: hex.exactOptional(),
  /** Names the decision in the logs of the service. */
  decisionId: text,
});
export type PaymasterStub = z.output<typeof PaymasterStubSchema>;

/**
 * Signed data, and whether gas limits in it are the service's own: then the client must put them into its operation.
 */
export const FinalPaymasterDataSchema = message('FinalPaymasterData', {
  signed: SignedPaymasterDataSchema,
  /** Whether the service estimated the limits: then they are not those of the operation that was sent. */
  gasEstimated: flag,
});

/** A paymaster as its RPC endpoint names it. */
export const paymasterKey = fieldsOf(SponsorshipRequestSchema, 'apiKey', 'chainId', 'arrival');
export type PaymasterKey = Pick<SponsorshipRequest, keyof typeof paymasterKey>;

/** A token that a paymaster takes. */
export const SupportedTokenSchema = message('SupportedToken', {
  address,
  /** E.g. `USDC`. */
  symbol: text,
  decimals: integer,
});

/** A token that a paymaster takes, and its price. */
const PricedTokenSchema = message('PricedToken', {
  ...fieldsOf(SupportedTokenSchema),
  /** Token base units for 10^18 wei, premium included. */
  exchangeRate: amount,
});

/** What is to know of a paymaster before there is an operation. */
export const PaymasterDescriptionSchema = message('PaymasterDescription', {
  /** Name of the paymaster (DApp). */
  name: text,
  /** For an operation that is sponsored; for one that pays in a token where the contract only takes tokens. */
  stub: StubFieldsSchema,
  /** What the paymaster takes and has a price of now: base units for 10^18 wei, premium included. */
  tokens: listOf(PricedTokenSchema),
});
export type PaymasterDescription = z.output<typeof PaymasterDescriptionSchema>;

/** A named policy that would sponsor an operation, as it is shown to users. */
export const SponsoringPolicySchema = message('SponsoringPolicy', {
  policyId: text,
  name: text,
  /** The paymaster's name where the policy has no author. */
  author: text,
  /** Absent when there is none. */
  description: text.exactOptional(),
  icon: text.exactOptional(),
});
export type SponsoringPolicy = z.output<typeof SponsoringPolicySchema>;

/** What a token costs at this moment, without an operation. */
export const TokenRateQuoteSchema = message('TokenRateQuote', {
  token: address,
  /** Address of the paymaster contract: the spender that the allowance is for. */
  paymaster: address,
  /** Token base units for 10^18 wei, premium included: what the user is charged with. */
  exchangeRate: amount,
  /** Gas that is charged for beyond the operation's own limits. */
  postOpGas: amount,
  /** Price of the chain's coin in millionths of a US dollar. */
  nativeUsdMicros: amount,
});
export type TokenRateQuote = z.output<typeof TokenRateQuoteSchema>;
