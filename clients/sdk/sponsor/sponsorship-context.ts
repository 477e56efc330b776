import type { PmGetFeeQuoteOrDataParams } from '../../../contract/rpc/pm-get-fee-quote-or-data.ts';
import type { SponsorshipInfo, TokenInfo, WebhookData } from '../../../contract/rpc/sponsorship-context.ts';

/** What both modes have in common: `calculateGasLimits`, and the wished lifetime `expiryDuration` in seconds. */
type Shared = Pick<PmGetFeeQuoteOrDataParams[1], 'calculateGasLimits' | 'expiryDuration'>;

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

/** The user pays in a token: which ones to quote. */
export type TokenQuotesContext = Shared & {
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
export type TokenPaidContext = Shared & {
  readonly mode: 'ERC20';
  readonly tokenInfo: { readonly feeTokenAddress: string };
};

export type FeeQuoteOrDataContext = SponsoredContext | TokenQuotesContext | OpenContext;
export type SponsorContext = SponsoredContext | TokenPaidContext;
