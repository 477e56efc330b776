import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ExplainSponsorshipRequest } from '@tollfree/contract/sponsorship';
import { useState } from 'react';
import { dataOf } from '../../api/data-of.ts';
import { decisionQuery, headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Segments } from '../../parts/segments.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { requestCode } from '../activity/raw-request.tsx';
import { BuildForm } from './build-form.tsx';
import { Explanation } from './explanation.tsx';
import { PasteForm } from './paste-form.tsx';

/** Relayed operations cannot be explained. */
function isExplainable(method: string): boolean {
  return method.startsWith('pm_');
}

const ways = [
  { value: 'build', text: 'Build an operation' },
  { value: 'paste', text: 'Paste a request' },
] as const;

/** Tries a request without effects: its answer now, and why. */
export function PlaygroundPage() {
  const { decision: decisionId }: { readonly decision?: string } = useSearch({
    from: '/paymasters/$paymasterId/playground',
  });
  const paymaster = usePaymaster();
  const before = useQuery({ ...decisionQuery(paymaster, decisionId ?? ''), enabled: decisionId !== undefined });
  const [chosen, setWay] = useState<(typeof ways)[number]['value']>();
  const recorded = before.data?.request;
  const again = recorded !== undefined && isExplainable(recorded.method) ? requestCode(recorded) : undefined;
  const way = chosen ?? (again === undefined ? 'build' : 'paste');
  const ask = useMutation({
    mutationFn: (body: ExplainSponsorshipRequest) =>
      dataOf(routes.sponsorship.explain({ headers: headersOf(paymaster), body })),
  });
  const form = { isPending: ask.isPending, onAsk: ask.mutate };
  return (
    <Page title="Playground" lead="See how a request would be answered now, and why. Nothing is signed or held.">
      <div className="columns">
        <Card
          title="Request"
          actions={<Segments label="How to make it" value={way} options={ways} onChange={setWay} />}
          {...(decisionId === undefined
            ? {}
            : {
                lead:
                  again === undefined
                    ? 'With the sender and the call of the request from before.'
                    : 'The request from before, as it was asked.',
              })}
        >
          {before.isLoading ? <Loading /> : null}
          {way === 'paste' && !before.isLoading ? <PasteForm {...form} first={again} /> : null}
          {way === 'build' && !before.isLoading ? <BuildForm {...form} decision={before.data} /> : null}
          <Problem error={before.error ?? ask.error} />
        </Card>
        <div role="status">
          {ask.data === undefined ? (
            <Empty title="No request yet.">The answer appears here, with every rule that decided.</Empty>
          ) : (
            <Explanation explanation={ask.data} />
          )}
        </div>
      </div>
    </Page>
  );
}
