import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.tsx';
import { Value } from '../../parts/value.tsx';
import type { Snippet } from '../paymasters/snippets.ts';
import { PolicyEditor } from '../policy/policy-editor.tsx';
import { HeadForm } from './head-form.tsx';
import { OpenBadge } from './named-policies-page.tsx';

/** Fields that only the default policy has. */
const omit = ['ignoreForeignPolicyIds'];

/** A named policy: how requests choose it, its content, and whether it can be chosen. */
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
        preview={(body) => routes.namedPolicy.preview({ headers, params: { policyId }, query: {}, body })}
        save={(body) => replacePolicy.mutateAsync({ policy: body })}
      />
      <Card title="For your users" lead="Wallets can show this to sponsored users.">
        <HeadForm
          head={item}
          submit="Save"
          action={replaceHead}
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

/** Deletes a named policy, and returns to the list. */
function DeletePolicy({ policy: { policyId, name } }: { readonly policy: NamedPolicyItem }) {
  const paymaster = usePaymaster();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => routes.namedPolicy.delete({ headers: headersOf(paymaster), params: { policyId } }),
    onSuccess: async () => {
      const { paymasterId } = paymaster;
      await navigate({ to: '/paymasters/$paymasterId/policies', params: { paymasterId } });
    },
  });
  return (
    <div className="stack">
      <p>Close it instead if you may need it again. Deleting it also deletes the usage of its limits.</p>
      <div className="actions">
        <ConfirmButton
          text="Delete policy"
          needs={['manage']}
          title={`Delete the policy “${name}”?`}
          confirm="Delete permanently"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Requests that choose it are refused from now on. This cannot be undone.
        </ConfirmButton>
      </div>
      <Problem error={remove.error} />
    </div>
  );
}

/** Opens a named policy to requests, and closes it. */
function OpenPolicy({ policy }: { readonly policy: NamedPolicyItem }) {
  const { enabled, policy: rules } = policy;
  const replace = useReplacePolicy(policy);
  const who = rules.requireTicket ? 'any caller with a valid ticket' : 'any caller who knows this paymaster’s URL';
  return (
    <div className="stack">
      <p>
        <OpenBadge isOpen={enabled} />
      </p>
      <p>
        {enabled
          ? `By its id, ${who} can choose it.`
          : 'Requests that choose it are refused. The default policy is not used instead.'}
      </p>
      <div className="actions">
        <Button
          needs={['manage']}
          kind={enabled ? 'plain' : 'primary'}
          isPending={replace.isPending}
          onPress={() => replace.mutate({ enabled: !enabled })}
        >
          {enabled ? 'Close it' : 'Open it'}
        </Button>
      </div>
      <Problem error={replace.error} />
    </div>
  );
}

/** How a request chooses a policy, per library, to insert into the code on the Connect page. */
function policySnippetsFor(policyId: string): readonly Snippet[] {
  return [
    { name: 'viem, permissionless', code: clientOption(policyId) },
    { name: 'wagmi', code: capability(policyId) },
    { name: 'Tollfree SDK', code: sdk(policyId) },
  ];
}

function clientOption(policyId: string): string {
  return `// One more line of createBundlerClient or createSmartAccountClient
  paymasterContext: { policyId: '${policyId}' },`;
}

function capability(policyId: string): string {
  return `capabilities: {
  paymasterService: {
    url: paymasterUrl, // the RPC URL of the page Connect
    context: { policyId: '${policyId}' },
  },
},`;
}

function sdk(policyId: string): string {
  return `const paymaster = createPaymaster(sponsor, { context: { policyId: '${policyId}' } });`;
}

/** Changes part of a named policy, which is sent as a whole with all other fields unchanged. */
function useReplacePolicy({ policyId, createdAt: _, updatedAt: __, ...policy }: NamedPolicyItem) {
  const paymaster = usePaymaster();
  return useMutation({
    mutationFn: (changes: Partial<typeof policy>) =>
      routes.namedPolicy.replace({
        headers: headersOf(paymaster),
        params: { policyId },
        body: { ...policy, ...changes },
      }),
    onSuccess: () => toast('Policy saved.'),
  });
}
