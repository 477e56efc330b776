import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { namedPoliciesQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { counted } from '../../parts/text/counted.ts';
import { shortHex, Value } from '../../parts/value.tsx';
import { describeFields } from '../policy/describe-policy.ts';
import { NamedPolicyForm } from '../policy/named-policy-form.tsx';
import { ImportPolicies } from './import-policies.tsx';

/** The named policies, which requests can choose. */
export function NamedPoliciesPage() {
  const paymaster = usePaymaster();
  const query = useQuery(namedPoliciesQuery(paymaster));
  return (
    <Page
      title="Named policies"
      lead="Requests choose these policies by id instead of the default policy, for example for a campaign or for paying customers. Each counts its own limits."
      doc="namedPolicies"
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
        title="Chosen by id"
        lead="Any caller who knows this paymaster’s URL can choose an open policy. Close it, or require tickets, to restrict it."
      >
        <Loaded query={query}>
          {(policies) =>
            policies.length === 0 ? (
              <Empty title="No named policies yet.">
                The default policy, on the page Policy, decides every request. For example: “spring campaign”, which
                sponsors three operations for each user, ends in May, and leaves the default policy as it is.
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
        { title: 'Rules', cell: ({ policy }) => <MainRules policy={policy} /> },
        { title: 'State', cell: ({ enabled }) => <OpenBadge isOpen={enabled} /> },
        { title: 'Id', cell: ({ policyId, name }) => <Value text={policyId} what={`id of ${name}`} /> },
        { title: 'Changed', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
      ]}
    />
  );
}

/** The fields that bound what a policy spends, and how many sentences about them a row has room for. */
const boundingFields = ['requireTicket', 'limits', 'maxCostPerOperation'];
const mostRules = 2;

/** What a policy is about, without opening it. */
function MainRules({ policy }: Pick<NamedPolicyItem, 'policy'>) {
  const { chainId } = usePaymaster();
  const rules = describeFields(policy, boundingFields, { chainId, nameOf: shortHex });
  if (rules.length === 0) return <span className="muted">No limit of its own</span>;
  const more = rules.length - mostRules;
  return (
    <div className="small">
      {rules.slice(0, mostRules).map((rule) => (
        <div key={rule}>{rule}</div>
      ))}
      {more > 0 ? <div className="muted">and {counted(more, 'more rule')}</div> : null}
    </div>
  );
}

/** Whether requests can choose a policy. */
export function OpenBadge({ isOpen }: { readonly isOpen: boolean }) {
  return isOpen ? <Badge kind="good">Open</Badge> : <Badge kind="warn">Closed</Badge>;
}
