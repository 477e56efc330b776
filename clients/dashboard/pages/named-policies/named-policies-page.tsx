import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NamedPolicyItem } from '@tollfree/contract/policies/named-policy';
import { namedPoliciesQuery } from '../../api/of-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { NamedPolicyForm } from './named-policy-form.tsx';
import { OpenBadge } from './open-badge.tsx';

/** The named policies, which requests can choose. */
export function NamedPoliciesPage() {
  const paymaster = usePaymaster();
  const query = useQuery(namedPoliciesQuery(paymaster));
  return (
    <Page
      title="More policies"
      lead="Policies that a request can choose by an id in the place of the default one: for a campaign, say, or for customers who pay you. Each counts its own limits."
    >
      <Card
        title="Policies to choose"
        lead="Whoever has the address of this paymaster can choose any policy that is open. Close it, or let it ask for a ticket, if not everybody may."
      >
        <Loaded query={query}>
          {(policies) =>
            policies.length === 0 ? (
              <Empty title="There are none.">The default policy, on the page Policy, decides every request.</Empty>
            ) : (
              <PolicyTable policies={policies} />
            )
          }
        </Loaded>
      </Card>
      <Card title="Make a policy">
        <NamedPolicyForm />
      </Card>
    </Page>
  );
}

function PolicyTable({ policies }: { readonly policies: readonly NamedPolicyItem[] }) {
  const { paymasterId } = usePaymaster();
  return (
    <DataTable
      caption="Policies to choose"
      rows={policies}
      keyOf={({ policyId }) => policyId}
      columns={[
        {
          title: 'Name',
          cell: ({ policyId, name, description }) => (
            <div>
              <Link to="/paymasters/$paymasterId/policies/$policyId" params={{ paymasterId, policyId }}>
                {name}
              </Link>
              {description === undefined ? null : <div className="small muted">{description}</div>}
            </div>
          ),
        },
        { title: 'State', cell: ({ enabled }) => <OpenBadge isOpen={enabled} /> },
        { title: 'Id', cell: ({ policyId, name }) => <Value text={policyId} what={`id of ${name}`} /> },
        { title: 'Changed', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
      ]}
    />
  );
}
