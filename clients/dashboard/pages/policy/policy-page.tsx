import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PolicyItem } from '@tollfree/contract/policy';
import { dataOf } from '../../api/data-of.ts';
import { headersOf, policyQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { PolicyEditor } from './policy-editor.tsx';
import { PolicyText } from './policy-text.tsx';

/** What is paid for next to contracts and webhooks, and how much of it. */
export function PolicyPage() {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const query = useQuery(policyQuery(paymaster));
  const headers = headersOf(paymaster);
  const save = async (body: PolicyItem) => {
    const saved = await dataOf(routes.policy.set({ headers, body }));
    client.setQueryData(policyQuery(paymaster).queryKey, saved);
  };
  const { paymasterId } = paymaster;
  return (
    <Page
      title="Policy"
      lead="What is sponsored and how much, in addition to the contracts. Changes apply from the next request."
    >
      <Loaded query={query}>
        {(policy) => (
          <>
            <Card title="Current policy">
              <PolicyText policy={policy} />
              <p className="small muted">
                It decides every request that chooses no other policy.{' '}
                <Link to="/paymasters/$paymasterId/policies" params={{ paymasterId }}>
                  Named policies
                </Link>
              </p>
            </Card>
            <Card title="Edit policy" lead="Preview it on recent decisions before you save it.">
              <PolicyEditor
                key={JSON.stringify(policy)}
                policy={policy}
                preview={(body) => dataOf(routes.policy.preview({ headers, query: {}, body }))}
                save={save}
              />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}
