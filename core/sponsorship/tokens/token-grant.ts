import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { TokenRate } from '../../quotes/token-rates.ts';
import type { Window } from '../grant/choose-window.ts';
import type { Identified } from '../request/identify.ts';

/** What a signature in token mode grants at this rate. The tokens go to the paymaster's own treasury, else to the operator's. */
export function tokenGrant(
  { profile, contract }: Pick<Identified, 'profile' | 'contract'>,
  { token, rateWithPremium }: TokenRate,
  window: Window,
): TokenGrant {
  const treasury = profile.policy.tokens?.treasury ?? contract.treasury;
  return { mode: 'ERC20', ...window, token: token.address, exchangeRate: rateWithPremium, treasury };
}
