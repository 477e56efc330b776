import { shareOfRate } from '../../domain/user-share.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { TokenRate } from '../../quotes/token-rates.ts';
import type { Identified } from '../identify/identify.ts';
import type { UserPays } from '../run/user-pays.ts';
import type { Window } from '../terms/choose-window.ts';
import type { GivenPermit } from './read-permit.ts';

/**
 *
 *
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
