import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import type { PolicyItem } from '@tollfree/contract/policy';
import { headersOf, namedPoliciesQuery, policyQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { ifMatch } from '../../api/use-save.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { toast } from '../../parts/toast.tsx';
import { PolicyChips } from './policy-chips.tsx';
import type { PolicyDraft } from './policy-draft.ts';
import { PolicyEditor, PolicyPlaceholder } from './policy-editor.tsx';
import { useShownPolicy } from './shown-policy.ts';
import { previewQuery } from './use-preview.ts';

/** What is sponsored in addition to contracts and webhooks, and how much. */
export function PolicyPage() {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const query = useQuery(policyQuery(paymaster));
  const named = useQuery(namedPoliciesQuery(paymaster));
  const headers = headersOf(paymaster);
  useShownPolicy(paymaster.paymasterId, query.data);
  const save = async (proposed: PolicyDraft) => {
    // The service validates it.
    const body = proposed as PolicyItem;
    const saved = await routes.policy.set({ headers: { ...headers, ...ifMatch(query.data?.etag) }, body });
    client.setQueryData(policyQuery(paymaster).queryKey, saved);
    toast('Policy saved.');
    return saved;
  };
  const { paymasterId, name } = paymaster;
  return (
    <Page
      title="Policy"
      lead={
        <>
          It decides every request that chooses no{' '}
          <Link to="/paymasters/$paymasterId/policies" params={{ paymasterId }}>
            named policy
          </Link>
          . Changes apply from the next request.
        </>
      }
      actions={
        <Button
          isDisabled={query.data === undefined || named.data === undefined}
          onPress={() =>
            query.data &&
            named.data &&
            saveFile(`${name} policies.json`, 'application/json', policyFileOf(query.data, named.data))
          }
        >
          Export
        </Button>
      }
    >
      <PolicyChips />
      <Loaded query={query} placeholder={<PolicyPlaceholder name={paymasterId} />}>
        {(policy) => (
          <PolicyEditor
            name={paymasterId}
            policy={policy}
            logged={{ object: paymasterId, operation: 'setPolicy' }}
            preview={(proposed) =>
              routes.policy.preview({ headers, query: previewQuery, body: proposed as PolicyItem })
            }
            save={save}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** All policies of a paymaster as a file for `tollfree policy diff` and `apply`. */
function policyFileOf({ etag: _, ...policy }: PolicyItem, named: readonly NamedPolicyItem[]): string {
  const policies = named.map(({ policyId: _, createdAt: __, updatedAt: ___, etag: ____, ...fields }) => fields);
  return `${JSON.stringify({ policy, policies }, null, 2)}\n`;
}
