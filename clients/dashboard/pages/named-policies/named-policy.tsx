import { Link } from '@tanstack/react-router';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { dataOf } from '../../api/data-of.ts';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Card } from '../../parts/card.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Page } from '../../parts/page.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { PolicyEditor } from '../policy/policy-editor.tsx';
import { DeletePolicy } from './delete-policy.tsx';
import { HeadForm } from './head-form.tsx';
import { OpenPolicy } from './open-policy.tsx';
import { policySnippetsFor } from './policy-snippets.ts';
import { useReplacePolicy } from './use-replace-policy.ts';

/** Fields of the default policy alone. */
const omit = ['ignoreForeignPolicyIds'];

/** All of a named policy: how requests choose it, what it says, and whether it can be chosen. */
export function NamedPolicy({ policy: item }: { readonly policy: NamedPolicyItem }) {
  const { policyId, name, policy } = item;
  const paymaster = usePaymaster();
  const headers = headersOf(paymaster);
  const replacePolicy = useReplacePolicy(item);
  const replaceHead = useReplacePolicy(item);
  const { paymasterId } = paymaster;
  return (
    <Page
      title={name}
      lead={
        <Link to="/paymasters/$paymasterId/policies" params={{ paymasterId }}>
          Back to the policies
        </Link>
      }
    >
      <Card title="Availability">
        <OpenPolicy policy={item} />
      </Card>
      <Card title="Using this policy" lead="Add its id to the code from the page Connect.">
        <p>
          <Value text={policyId} what="policy id" />
        </p>
        <Snippets policyId={policyId} />
      </Card>
      <PolicyEditor
        key={JSON.stringify(policy)}
        policy={policy}
        omit={omit}
        preview={(body) => dataOf(routes.namedPolicy.preview({ headers, params: { policyId }, query: {}, body }))}
        save={(body) => replacePolicy.mutateAsync({ policy: body })}
      />
      <Card title="For your users" lead="Wallets can show this to sponsored users.">
        <HeadForm
          head={item}
          submit="Save"
          isPending={replaceHead.isPending}
          error={replaceHead.error}
          onSubmit={(head) =>
            replaceHead.mutate({ description: undefined, author: undefined, icon: undefined, ...head })
          }
        />
      </Card>
      <Card title="Delete">
        <DeletePolicy policy={item} />
      </Card>
    </Page>
  );
}

function Snippets({ policyId }: { readonly policyId: string }) {
  const snippets = policySnippetsFor(policyId);
  return (
    <Tabs className="tabs">
      <TabList className="tab-list" aria-label="Library">
        {snippets.map(({ name }) => (
          <Tab key={name} id={name} className="tab">
            {name}
          </Tab>
        ))}
      </TabList>
      {snippets.map(({ name, code }) => (
        <TabPanel key={name} id={name}>
          <CodeBlock code={code} what={`Code for ${name}`} />
        </TabPanel>
      ))}
    </Tabs>
  );
}
