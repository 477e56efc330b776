import { useQuery } from '@tanstack/react-query';
import { chainsQuery } from '../api/of-account.ts';
import { usePaymaster } from '../api/use-paymaster.ts';

type Token = { readonly symbol: string; readonly decimals: number };

/** Finds tokens of the paymaster's chain by address. Undefined for one that the chain no longer has, or before tokens are read. */
export function useToken(): (address: string) => Token | undefined {
  const { chainId } = usePaymaster();
  const { data = [] } = useQuery(chainsQuery);
  const tokens = data.find((chain) => chain.chainId === chainId)?.tokens ?? [];
  return (address) => tokens.find((token) => token.address.toLowerCase() === address.toLowerCase());
}
