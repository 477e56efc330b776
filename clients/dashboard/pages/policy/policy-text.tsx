import { useQuery } from '@tanstack/react-query';
import type { PolicyItem } from '@tollfree/contract/policy';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { describePolicy } from './describe-policy.ts';

/** A policy in sentences. */
export function PolicyText({ policy }: { readonly policy: PolicyItem }) {
  const { data = [] } = useQuery(contractsQuery(usePaymaster()));
  const nameOf = (address: string) =>
    data.find((each) => each.address.toLowerCase() === address.toLowerCase())?.name ?? address;
  return (
    <ul className="sentences">
      {describePolicy(policy, nameOf).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
