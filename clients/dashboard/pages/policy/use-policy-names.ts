import { useQuery } from '@tanstack/react-query';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import type { PolicyNames } from './describe-policy.ts';

/** Names for the sentences of this paymaster's policies. */
export function usePolicyNames(): PolicyNames {
  const paymaster = usePaymaster();
  const { data = [] } = useQuery(contractsQuery(paymaster));
  const nameOf = (address: string) =>
    data.find((each) => each.address.toLowerCase() === address.toLowerCase())?.name ?? address;
  return { chainId: paymaster.chainId, nameOf };
}
