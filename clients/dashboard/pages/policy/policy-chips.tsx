import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { namedPoliciesQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { PanelButton } from '../../parts/panel-button.tsx';
import { NamedPolicyForm } from './named-policy-form.tsx';

/** Only the link to the page itself is marked, not one to a page above it. */
const exactly = { exact: true } as const;

/** The policies of a paymaster, to go from one to the other, and to add one. */
export function PolicyChips() {
  const paymaster = usePaymaster();
  const { paymasterId } = paymaster;
  const { data: policies = [] } = useQuery(namedPoliciesQuery(paymaster));
  return (
    <nav className="chips in-row" aria-label="Policies of this paymaster">
      <Link to="/paymasters/$paymasterId/policy" params={{ paymasterId }} activeOptions={exactly} className="chip">
        Default
      </Link>
      {policies.map(({ policyId, name, enabled }) => (
        <Link
          key={policyId}
          to="/paymasters/$paymasterId/policies/$policyId"
          params={{ paymasterId, policyId }}
          activeOptions={exactly}
          className="chip"
        >
          {name}
          {enabled ? null : <span className="muted"> · closed</span>}
        </Link>
      ))}
      <Link to="/paymasters/$paymasterId/policies" params={{ paymasterId }} activeOptions={exactly} className="chip">
        Manage…
      </Link>
      <PanelButton text="+ New policy" kind="quiet" needs={['manage']} title="New policy">
        {() => <NamedPolicyForm />}
      </PanelButton>
    </nav>
  );
}
