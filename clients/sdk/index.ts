/** The exports of `@tollfree/sdk`. The management client without viem is in `@tollfree/sdk/management`. */
export {
  type CreateCapabilitiesOptions,
  createCapabilities,
  type SponsoredCapabilities,
} from './create-capabilities.ts';
export {
  createManagementClient,
  type ManagementClient,
  type ManagementClientOptions,
} from './create-management-client.ts';
export { type CreatePaymasterOptions, createPaymaster, type Paymaster } from './create-paymaster.ts';
export { createSponsorClient, type SponsorClient, type SponsorClientOptions } from './create-sponsor-client.ts';
export {
  type RefusalDetails,
  type SponsorshipRefusalReason,
  SponsorshipRefusedError,
  TokenNotTakenError,
  TollfreeApiError,
  TransportError,
  type TransportFailure,
} from './errors/errors.ts';
export { type UserMessageOptions, userMessage } from './errors/user-message.ts';
export type { Fetch } from './http/fetch-send.ts';
export { type Allowance, type GetAllowanceParameters, getAllowance } from './sponsor/get-allowance.ts';
export { type FeeQuoteOrData, getFeeQuoteOrData } from './sponsor/get-fee-quote-or-data.ts';
export { getPaymasterData, type PaymasterData } from './sponsor/get-paymaster-data.ts';
export { getPaymasterStubData } from './sponsor/get-paymaster-stub-data.ts';
export { getSupportedEntryPoints } from './sponsor/get-supported-entry-points.ts';
export { getSupportedTokens, type SupportedToken } from './sponsor/get-supported-tokens.ts';
export { type GetTokenQuotesParameters, getTokenQuotes, type TokenRate } from './sponsor/get-token-quotes.ts';
export { mergeContexts } from './sponsor/merge-contexts.ts';
export type { SignedData } from './sponsor/signed-data.ts';
export type { HttpTransportOptions, SponsorConnection, SponsorTransport } from './sponsor/sponsor-connection.ts';
export { type SponsoredOperation, sponsorUserOperation } from './sponsor/sponsor-user-operation.ts';
export type {
  EitherContext,
  FeeQuoteOrDataContext,
  OpenContext,
  PaymasterContext,
  SponsorContext,
  SponsoredContext,
  TokenPaidContext,
  TokenPermit,
  TokenQuotesContext,
} from './sponsor/sponsorship-context.ts';
export type { TokenQuote, TokenQuotes } from './sponsor/token-quotes.ts';
export { maximumTokenAmount } from './sponsor/token-quotes.ts';
export type {
  AuthorizationRequest,
  PartialUserOperationRequest,
  UserOperationRequest,
} from './sponsor/user-operation-request.ts';
export {
  type ValidateSponsorshipPoliciesParameters,
  validateSponsorshipPolicies,
} from './sponsor/validate-sponsorship-policies.ts';
export { type TicketUser, ticketSubject } from './tickets/ticket-subject.ts';
export { type EstimateTokenCostParameters, estimateTokenCost, type TokenCost } from './tokens/estimate-token-cost.ts';
export { freeThenPaidText } from './tokens/free-then-paid-text.ts';
export {
  type PrepareTokenPaymentParameters,
  prepareTokenPayment,
  type TokenPayment,
} from './tokens/prepare-token-payment.ts';
export {
  type SponsoredOrPaid,
  type SponsorOrPayParameters,
  sponsorOrPay,
  TokenPaymentTooHighError,
} from './tokens/sponsor-or-pay.ts';
export {
  type PermitTypedData,
  type TokenPermitParameters,
  tokenPermit,
  tokenPermitTypedData,
} from './tokens/token-permit.ts';
