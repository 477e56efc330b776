import { useQuery } from '@tanstack/react-query';
import { chainsQuery } from '../api/of-account.ts';
import { usePaymaster } from '../api/use-paymaster.ts';
import { unitsText } from './text/usd-text.ts';

type TokenAmount = { readonly token: string; readonly amount: string };

/** Writes amounts of tokens as `0.85 USDC`. Undefined for a token that the chain no longer has, or before tokens are read. */
export function useTokenText(): (payment: TokenAmount) => string | undefined {
  const { chainId } = usePaymaster();
  const { data = [] } = useQuery(chainsQuery);
  const tokens = data.find((chain) => chain.chainId === chainId)?.tokens ?? [];
  return ({ token, amount }) => {
    const known = tokens.find(({ address }) => address.toLowerCase() === token.toLowerCase());
    return known === undefined ? undefined : `${unitsText(amount, known.decimals)} ${known.symbol}`;
  };
}
