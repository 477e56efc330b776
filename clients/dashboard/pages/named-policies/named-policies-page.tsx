import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { namedPoliciesQuery } from '../../api/of-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { ImportPolicies } from './import-policies.tsx';
import { NamedPolicyForm } from './named-policy-form.tsx';
import { OpenBadge } from './open-badge.tsx';

/** The named policies, which requests can choose. */
export function NamedPoliciesPage() {
  const paymaster = usePaymaster();
  const query = useQuery(namedPoliciesQuery(paymaster));
  return (
    <Page
      title="Named policies"
      lead="Requests choose these policies by id instead of the default policy, for example for a campaign or for paying customers. Each counts its own limits."
      actions={
        <>
          {query.data === undefined ? null : (
            <PanelButton text="Import" needs={['manage']} title="Import named policies">
              {(close) => <ImportPolicies current={query.data} onDone={close} />}
            </PanelButton>
          )}
          <PanelButton text="New policy" kind="primary" needs={['manage']} title="New policy">
            {() => <NamedPolicyForm />}
          </PanelButton>
        </>
      }
    >
      <Card
        title="Named policies"
        lead="Any caller who knows this paymaster’s URL can choose an open policy. Close it, or require tickets, to restrict it."
      >
        <Loaded query={query}>
          {(policies) =>
            policies.length === 0 ? (
              <Empty title="No named policies yet.">
                The default policy, on the page Policy, decides every request.
              </Empty>
            ) : (
              <PolicyTable policies={policies} />
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

function PolicyTable({ policies }: { readonly policies: readonly NamedPolicyItem[] }) {
  const { paymasterId } = usePaymaster();
  return (
    <DataTable
      caption="Named policies"
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
