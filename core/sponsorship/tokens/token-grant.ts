import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { TokenRate } from '../../quotes/token-rates.ts';
import type { Window } from '../grant/choose-window.ts';

/** What a signature in token mode grants at this rate. */
export function tokenGrant(
  { treasury }: PaymasterContractRuntime,
  { token, rateWithPremium }: TokenRate,
  window: Window,
): TokenGrant {
  return { mode: 'ERC20', ...window, token: token.address, exchangeRate: rateWithPremium, treasury };
}
