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
  seconds,
  text,
  travelsAs,
} from '../base/message-schema.ts';
import {
  emptyRequest,
  SignedPaymasterDataSchema,
  type SponsorshipRequest,
  SponsorshipRequestSchema,
  sponsorshipModes,
} from './sponsorship.ts';

/**
 * A request of ERC-7677: a sponsorship request that names its EntryPoint. If `context.smartAccountInfo` is missing, the
 * account's kind is detected from the calls. `context.mode` defaults to `SPONSORED`, `calculateGasLimits` to false.
 */
export type PaymasterDataRequest = SponsorshipRequest & { readonly entryPoint: string };

/** A request of ERC-7677: a sponsorship request that names its EntryPoint. */
const PaymasterDataFormSchema = message('PaymasterDataRequest', {
  /** Absent is read as an empty one. */
  request: SponsorshipRequestSchema.default(emptyRequest),
  /** An address in any common spelling. */
  entryPoint: text,
});

export const PaymasterDataRequestSchema = travelsAs<PaymasterDataRequest, typeof PaymasterDataFormSchema>(
  PaymasterDataFormSchema,
  ({ entryPoint, ...request }) => ({ request, entryPoint }),
  ({ request, entryPoint }) => ({ ...request, entryPoint }),
).default({ ...emptyRequest, entryPoint: '' });

/** Paymaster fields for estimating an operation: as long as the final ones, and never valid for payment. */
const StubFieldsSchema = message('StubFields', {
  ...fieldsOf(SignedPaymasterDataSchema, 'entryPointVersion', 'paymaster', 'paymasterAndData', 'paymasterData'),
  /** Gas; `"0"` with EntryPoint 0.6. */
  paymasterVerificationGasLimit: amount,
  /** Gas; `"0"` with EntryPoint 0.6. */
  paymasterPostOpGasLimit: amount,
});
export type StubFields = z.output<typeof StubFieldsSchema>;

/** Paymaster fields for estimating an operation: as long as the final ones, and never valid for payment. */
export const PaymasterStubSchema = message('PaymasterStub', {
  ...fieldsOf(StubFieldsSchema),
  kind: z.literal('stub'),
  mode: z.enum(sponsorshipModes),
  /**
   * The sponsor's name to show to the user: the author of the policy, else the paymaster (DApp). Absent in token mode: the
   * user pays.
   */
  sponsorName: text.exactOptional(),
  /** The sponsor's icon, as a data URI. Absent in token mode and if there is none. */
  sponsorIcon: text.exactOptional(),
  /**
   * Placeholder for the paymaster's signature, if the account's signature does not cover it; `paymaster_data` is final then.
   */
  paymasterSignature: hex.exactOptional(),
  /** With `paymaster_signature`, or if the stub is a signature: until when it holds, in Unix seconds. */
  validUntil: seconds.exactOptional(),
  /** Identifies the decision in the logs of the service. */
  decisionId: text,
});
export type PaymasterStub = z.output<typeof PaymasterStubSchema>;

/** Signed data, and whether the service estimated the gas limits in it: then the client must put them into its operation. */
export const FinalPaymasterDataSchema = message('FinalPaymasterData', {
  signed: SignedPaymasterDataSchema,
  /** Whether the service estimated the limits, so that they differ from those of the request. */
  gasEstimated: flag,
});

/** Identifies a paymaster at its RPC endpoint. */
export const paymasterKey = fieldsOf(SponsorshipRequestSchema, 'apiKey', 'chainId', 'arrival');
export type PaymasterKey = Pick<SponsorshipRequest, keyof typeof paymasterKey>;

/** A token that a paymaster accepts. */
export const SupportedTokenSchema = message('SupportedToken', {
  address,
  /** E.g. `USDC`. */
  symbol: text,
  decimals: integer,
});

/** A token that a paymaster accepts, and its price. */
const PricedTokenSchema = message('PricedToken', {
  ...fieldsOf(SupportedTokenSchema),
  /** Token base units for 10^18 wei, premium included. */
  exchangeRate: amount,
});

/** Description of a paymaster, before there is an operation. */
export const PaymasterDescriptionSchema = message('PaymasterDescription', {
  /** Name of the paymaster (DApp). */
  name: text,
  /** For a sponsored operation; for one that pays in a token if the contract only takes tokens. */
  stub: StubFieldsSchema,
  /** The accepted tokens that have a price now: base units for 10^18 wei, premium included. */
  tokens: listOf(PricedTokenSchema),
});
export type PaymasterDescription = z.output<typeof PaymasterDescriptionSchema>;

/** A named policy that would sponsor an operation, as shown to users. */
export const SponsoringPolicySchema = message('SponsoringPolicy', {
  policyId: text,
  name: text,
  /** The paymaster's name if the policy has no author. */
  author: text,
  /** Absent when there is none. */
  description: text.exactOptional(),
  icon: text.exactOptional(),
});
export type SponsoringPolicy = z.output<typeof SponsoringPolicySchema>;

/** A token's current cost, without an operation. */
export const TokenRateQuoteSchema = message('TokenRateQuote', {
  token: address,
  /** Address of the paymaster contract: the spender that the allowance is for. */
  paymaster: address,
  /** Token base units for 10^18 wei, premium included: the user's rate. */
  exchangeRate: amount,
  /** Gas that is charged in addition to the operation's own limits. */
  postOpGas: amount,
  /** Price of the chain's coin in millionths of a US dollar. */
  nativeUsdMicros: amount,
  /** Storage slot of the token's balances, for estimates that override state. Absent if the operator gives none. */
  balanceSlot: amount.exactOptional(),
  /** Storage slot of the token's allowances, for the same. */
  allowanceSlot: amount.exactOptional(),
});
export type TokenRateQuote = z.output<typeof TokenRateQuoteSchema>;
