import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { namedPoliciesQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { NamedPolicy, NamedPolicyPlaceholder } from './named-policy.tsx';

export function NamedPolicyPage() {
  const { policyId } = useParams({ from: '/paymasters/$paymasterId/policies/$policyId' });
  const paymaster = usePaymaster();
  const { paymasterId } = paymaster;
  const query = useQuery(namedPoliciesQuery(paymaster));
  return (
    <Loaded query={query} placeholder={<NamedPolicyPlaceholder />}>
      {(policies) => {
        const policy = policies.find((each) => each.policyId === policyId);
        return policy === undefined ? (
          <Empty title="This policy does not exist.">
            <Link to="/paymasters/$paymasterId/policies" params={{ paymasterId }}>
              Show all policies
            </Link>
          </Empty>
        ) : (
          <NamedPolicy key={policyId} policy={policy} />
        );
      }}
    </Loaded>
  );
}
