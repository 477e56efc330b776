import type { PmGetFeeQuoteOrDataParams } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import type { SponsorshipInfo, TokenInfo, WebhookData } from '@tollfree/contract/rpc/sponsorship-context';
import type { Hex } from 'viem';

/**
 * What both modes have in common: `calculateGasLimits`, the requested lifetime `expiryDuration` in seconds, the user's `ticket`,
 * and `policyId`, the policy of the paymaster that is to decide.
 */
type Shared = Pick<PmGetFeeQuoteOrDataParams[1], 'calculateGasLimits' | 'expiryDuration' | 'policyId' | 'ticket'>;

type SmartAccountInfo = NonNullable<SponsorshipInfo['smartAccountInfo']>;

/** The application pays. `smartAccountInfo` says how the operation's calls are to be read. */
export type SponsoredContext = Shared & {
  readonly mode: 'SPONSORED' | 'SPONSORSHIP';
  readonly sponsorshipInfo: {
    readonly smartAccountInfo: SmartAccountInfo;
    /** Passed through to the webhooks. */
    readonly webhookData?: WebhookData | undefined;
  };
};

/** What the policy of a paid operation may ask too, where it lets users pay for what it no longer sponsors. */
type AlsoPaid = { readonly sponsorshipInfo?: Partial<SponsoredContext['sponsorshipInfo']> | undefined };

/** A permit of EIP-2612 that the sender has signed for the paymaster contract. */
export type TokenPermit = { readonly value: Hex; readonly deadline: Hex; readonly signature: Hex };

/** What the user has signed instead of an approval. A stub or a quote fills in what it does not have yet. */
type WithPermit = { readonly permit?: Partial<TokenPermit> | undefined };

/** The user pays in a token: which ones to quote. */
export type TokenQuotesContext = Shared &
  AlsoPaid &
  WithPermit & {
    readonly mode: 'ERC20';
    readonly tokenInfo: Pick<TokenInfo, 'preferredToken' | 'tokenList'>;
  };

/** The service chooses: sponsorship if the policies allow it, else quotes. */
export type OpenContext = Shared & {
  readonly mode?: undefined;
  readonly sponsorshipInfo?: SponsoredContext['sponsorshipInfo'] | undefined;
  readonly tokenInfo?: TokenQuotesContext['tokenInfo'] | undefined;
};

/** The user pays in the token `feeTokenAddress`. */
export type TokenPaidContext = Shared &
  AlsoPaid &
  WithPermit & {
    readonly mode: 'ERC20';
    readonly tokenInfo: { readonly feeTokenAddress: string };
  };

/** What belongs to an operation, no matter who pays for it: account, ticket, data for webhooks, policy. */
export type EitherContext = Shared & AlsoPaid;

/**
 * `context` of the ERC-7677 calls and of `createPaymaster`: everything is optional.
 *
 * - The application pays: the default. `smartAccountInfo` is found from the calls where it is missing.
 * - The user pays: `{ token }` or a `TokenPaidContext`.
 *
 * `validForSeconds` is another name for `expiryDuration`.
 */
export type PaymasterContext = Parallel &
  (
    | (Shared & {
        readonly mode?: SponsoredContext['mode'] | undefined;
        readonly sponsorshipInfo?: Partial<SponsoredContext['sponsorshipInfo']> | undefined;
      })
    | TokenPaidContext
    | (EitherContext &
        WithPermit & {
          /** Address of the token that pays. */
          readonly token: string;
          readonly validForSeconds?: number | undefined;
        })
  );

/** With EntryPoint 0.9: the paymaster's signature comes apart, as `paymasterSignature`, so that the account can sign meanwhile. */
type Parallel = { readonly parallelSigning?: boolean | undefined };

export type FeeQuoteOrDataContext = SponsoredContext | TokenQuotesContext | OpenContext;
export type SponsorContext = SponsoredContext | TokenPaidContext;
