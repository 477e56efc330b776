import { useQuery } from '@tanstack/react-query';
import { contractsQuery } from '../api/of-paymaster.ts';
import { usePaymaster } from '../api/use-paymaster.ts';

/** Writes the addresses of the paymaster's registered contracts in a sentence of the service as the contracts' names. */
export function useContractNames(): (text: string) => string {
  const { data = [] } = useQuery(contractsQuery(usePaymaster()));
  const names = new Map(data.map(({ address, name }) => [address.toLowerCase(), name]));
  return (text) => text.replaceAll(/\b0x[0-9a-fA-F]{40}\b/g, (address) => names.get(address.toLowerCase()) ?? address);
}
