import type { Address } from 'viem';
import type {
  FinalPaymasterData,
  PaymasterDataRequest,
  PaymasterDescription,
  PaymasterKey,
  PaymasterStub,
  SponsoringPolicy,
  SupportedToken,
  TokenRateQuote,
} from '../paymaster-data.ts';
import type { RelayedUserOperation, RelayTerms } from '../relay-config.ts';
import type { Result } from '../result/result.ts';
import type { LimitLevel, LimitUse } from '../sharing/limit-use.ts';
import type { SignedPaymasterData, SponsorshipRequest, TokenQuotes } from '../sponsorship.ts';
import type { Allowance, AllowanceOwner } from '../tickets/allowance.ts';
import type { RawUserOperation } from '../user-operation.ts';

/** What clients ask of a paymaster over JSON-RPC. */
export type SponsorshipOperations = {
  /** `pm_getFeeQuoteOrData` (interface 4.5). */
  getFeeQuoteOrData(request: SponsorshipRequest): Promise<Result<SignedPaymasterData | TokenQuotes>>;
  /** `pm_sponsorUserOperation` in the interface's form: both modes, `mode` required. */
  sponsorUserOperation(request: SponsorshipRequest): Promise<Result<SignedPaymasterData>>;
  /** `pm_getPaymasterStubData` (ERC-7677). Refuses what can be refused now; asks no webhook, holds and signs nothing. */
  getPaymasterStubData(request: PaymasterDataRequest): Promise<Result<PaymasterStub>>;
  /**
   * `pm_getPaymasterData` (ERC-7677). Signs the gas limits of the operation; when they are all 0 and
   * `calculateGasLimits` is true, those that it estimates.
   */
  getPaymasterData(request: PaymasterDataRequest): Promise<Result<FinalPaymasterData>>;
  /**
   * `eth_sendUserOperation` of an operation that has no fees and no paymaster, and that its account has signed: holds its worst
   * case and hands it to the operator's bundler.
   */
  relayUserOperation(request: PaymasterDataRequest): Promise<Result<RelayedUserOperation>>;
  /** `tollfree_prepareRelay`: gas limits with which an operation would be relayed now. Asks no webhook and holds nothing. */
  prepareRelay(request: PaymasterDataRequest): Promise<Result<RelayTerms>>;
  /**
   * `pm_validateSponsorshipPolicies`: which of some policies (10 at most) would sponsor the operation now, with estimated limits
   * and webhooks that agree. Holds, signs and records nothing.
   */
  validatePolicies(
    request: PaymasterKey & { userOperation: RawUserOperation; entryPoint: string; policyIds: readonly string[] },
  ): Promise<Result<readonly SponsoringPolicy[]>>;
  /** `pimlico_getTokenQuotes`: tokens that are not taken, or have no price now, are left out. */
  quoteTokenRates(
    request: PaymasterKey & { entryPoint: string; tokens: readonly string[] },
  ): Promise<Result<readonly TokenRateQuote[]>>;
  /** `tollfree_getAllowance`: what is left in each limit for a ticket, a sender or both; one of them has to be there. */
  getAllowance(request: PaymasterKey & AllowanceOwner): Promise<Result<Allowance>>;
  /** The tokens a paymaster takes; none for one that only sponsors. */
  listSupportedTokens(request: PaymasterKey): Promise<Result<readonly SupportedToken[]>>;
  /** Addresses of the EntryPoints a paymaster works with. */
  listEntryPoints(request: PaymasterKey): Promise<Result<readonly Address[]>>;
  /** `pm_supportedERC20Tokens`: name, tokens with their prices, and a stub, before there is an operation. */
  describePaymaster(request: PaymasterKey & { entryPoint: string }): Promise<Result<PaymasterDescription>>;
  /**
   * Counts what a gateway has let through towards limits that hold for all gateways together, and answers what each has come
   * to, in the order of `uses` (1,000 at most).
   */
  shareLimits(input: { uses: readonly LimitUse[] }): Promise<Result<readonly LimitLevel[]>>;
};
