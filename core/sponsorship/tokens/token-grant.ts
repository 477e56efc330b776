import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { TokenRate } from '../../quotes/token-rates.ts';
import type { Window } from '../grant/choose-window.ts';
import type { Identified } from '../request/identify.ts';
import type { GivenPermit } from './read-permit.ts';

/** What a signature in token mode grants at this rate. The tokens go to the paymaster's own treasury, else to the operator's. */
export function tokenGrant(
  { profile, contract, permit }: Pick<Identified, 'profile' | 'contract'> & Partial<GivenPermit>,
  { token, rateWithPremium }: TokenRate,
  window: Window,
): TokenGrant {
  const treasury = profile.policy.tokens?.treasury ?? contract.treasury;
  const grant: TokenGrant = { mode: 'ERC20', ...window, token: token.address, exchangeRate: rateWithPremium, treasury };
  return permit === undefined ? grant : { ...grant, permit };
}
