import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { namedPoliciesQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { useShownPolicy } from '../policy/shown-policy.ts';
import { NamedPolicy, NamedPolicyPlaceholder } from './named-policy.tsx';

export function NamedPolicyPage() {
  const { policyId } = useParams({ from: '/paymasters/$paymasterId/policies/$policyId' });
  const paymaster = usePaymaster();
  const { paymasterId } = paymaster;
  const query = useQuery(namedPoliciesQuery(paymaster));
  const policy = query.data?.find((each) => each.policyId === policyId);
  useShownPolicy(policyId, policy?.policy);
  return (
    <Loaded query={query} placeholder={<NamedPolicyPlaceholder policyId={policyId} />}>
      {() =>
        policy === undefined ? (
          <Empty title="This policy does not exist.">
            <Link to="/paymasters/$paymasterId/policies" params={{ paymasterId }}>
              Show all policies
            </Link>
          </Empty>
        ) : (
          <NamedPolicy key={policyId} policy={policy} />
        )
      }
    </Loaded>
  );
}
