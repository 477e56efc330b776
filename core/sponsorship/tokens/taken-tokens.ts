import { takesToken } from '../../policies/rules/rule-on-token.ts';
import type { TokenRates } from '../../quotes/token-rates.ts';
import type { Identified } from '../identify/identify.ts';

/** The chain's tokens that the paymaster accepts: those of its policy, none if its contract only sponsors. */
export function takenTokens({ chain, contract, profile }: Identified): Pick<TokenRates, 'tokens' | 'find'> {
  if (!contract.family.modes.includes('ERC20')) return { tokens: [], find: () => undefined };
  const { policy } = profile;
  return {
    tokens: chain.rates.tokens.filter(({ address }) => takesToken(policy, address)),
    find: (address) => {
      const token = chain.rates.find(address);
      return token !== undefined && takesToken(policy, token.address) ? token : undefined;
    },
  };
}
