import type { TokenConfig } from '../../domain/core-config.ts';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import type { TokenRates } from '../../quotes/token-rates.ts';

/** The tokens to quote, and the requested ones that are not accepted (as sent). */
export type ChosenTokens = {
  readonly preferred: TokenConfig | undefined;
  readonly tokens: readonly TokenConfig[];
  readonly unsupported: readonly string[];
};

/** `preferredToken` first, then `tokenList`; with neither, all accepted ones. Empty texts count as absent. */
export function chooseTokens(
  info: SponsorshipContext['tokenInfo'],
  rates: Pick<TokenRates, 'tokens' | 'find'>,
): ChosenTokens {
  const preferred = given(info?.preferredToken);
  const listed = (info?.tokenList ?? []).filter((address) => address !== '');
  const asked = [...(preferred === undefined ? [] : [preferred]), ...listed];
  if (asked.length === 0) return { preferred: undefined, tokens: rates.tokens, unsupported: [] };

  const tokens = new Set<TokenConfig>();
  const unsupported = new Set<string>();
  for (const address of asked) {
    const token = rates.find(address);
    if (token === undefined) unsupported.add(address);
    else tokens.add(token);
  }
  return {
    preferred: preferred === undefined ? undefined : rates.find(preferred),
    tokens: [...tokens],
    unsupported: [...unsupported],
  };
}

/** The token of `pm_sponsorUserOperation`: `feeTokenAddress`, or else `preferredToken`. */
export function namedFeeToken(info: SponsorshipContext['tokenInfo']): string | undefined {
  return given(info?.feeTokenAddress) ?? given(info?.preferredToken);
}

function given(address: string | undefined): string | undefined {
  return address === '' ? undefined : address;
}
