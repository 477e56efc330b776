import { accept } from '../../domain/result/result.ts';
import { shareOfRate } from '../../domain/user-share.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { TokenRate } from '../../quotes/token-rates.ts';
import type { Identified } from '../identify/identify.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { Lifetime } from '../permit/read-signature-lifetime.ts';
import type { Asked } from '../run/asked.ts';
import { noted, type Step } from '../run/steps.ts';
import type { UserPays } from '../run/user-pays.ts';
import { type Window, windowOf } from '../terms/choose-window.ts';
import { endWithTicket } from '../terms/grant-sponsorship.ts';
import type { FeeToken } from './choose-tokens.ts';
import { endWithPermit, type GivenPermit } from './read-permit.ts';

/**
 * The grant of a token mode signature at this rate, or at the user's share of it. The tokens go to the paymaster's own
 * treasury, else to the operator's.
 */
export function tokenGrant(
  {
    profile,
    contract,
    permit,
    userPercent,
  }: Pick<Identified, 'profile' | 'contract'> & UserPays & Partial<GivenPermit>,
  { token, rateWithPremium }: TokenRate,
  window: Window,
): TokenGrant {
  const treasury = profile.policy.tokens?.treasury ?? contract.treasury;
  const exchangeRate = shareOfRate(rateWithPremium, userPercent);
  const grant: TokenGrant = { mode: 'ERC20', ...window, token: token.address, exchangeRate, treasury };
  return permit === undefined ? grant : { ...grant, permit };
}

type Needed = Asked & Identified & Lifetime & Viewed & FeeToken & Ticketed & UserPays & GivenPermit;

/** The grant of a signature in token mode: the token at its price, from now on. */
export const grantTokens: Step<Needed, { readonly grant: TokenGrant }> = noted(
  { rule: 'token-price', finding: ({ token, userPercent }) => ['token-price', token.symbol, userPercent] },
  async (request: Needed) => {
    const { chain, contract, token } = request;
    const rate = await chain.rates.rate(token, contract.premiumBasisPoints);
    if (!rate.ok) return rate;
    const ticketed = endWithTicket(windowOf(request), request);
    if (!ticketed.ok) return ticketed;
    const window = endWithPermit(ticketed.value, request);
    return window.ok ? accept({ grant: tokenGrant(request, rate.value, window.value) }) : window;
  },
);
