import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { DecisionItem, ExplanationItem } from '@tollfree/contract/decision-fields';
import type { ExplainSponsorshipRequest } from '@tollfree/contract/sponsorship';
import { useState } from 'react';
import { decisionQuery, headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loading } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { Segments } from '../../parts/segments.tsx';
import { usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';
import { DecisionTrace } from '../activity/decision-trace.tsx';
import { requestCode } from '../activity/raw-request.tsx';
import { Refusal } from '../activity/refusal.tsx';
import { BuildForm } from './build-form.tsx';
import { PasteForm } from './paste-form.tsx';

/** Relayed operations cannot be explained. */
function isExplainable(method: string): boolean {
  return method.startsWith('pm_');
}

const ways = [
  { value: 'build', text: 'Build an operation' },
  { value: 'paste', text: 'Paste a request' },
] as const;

/** Tries a request without effects: its answer now, and why. It begins again when another earlier request is chosen, or none. */
export function PlaygroundPage() {
  const { decision }: { readonly decision?: string } = useSearch({ from: '/paymasters/$paymasterId/playground' });
  return <Playground key={decision} decisionId={decision} />;
}

function Playground({ decisionId }: { readonly decisionId: string | undefined }) {
  const paymaster = usePaymaster();
  const before = useQuery({ ...decisionQuery(paymaster, decisionId ?? ''), enabled: decisionId !== undefined });
  const [chosen, setWay] = useState<(typeof ways)[number]['value']>();
  const recorded = before.data?.request;
  const again = recorded !== undefined && isExplainable(recorded.method) ? requestCode(recorded) : undefined;
  const way = chosen ?? (again === undefined ? 'build' : 'paste');
  const ask = useMutation({
    meta: { onlyReads: true },
    mutationFn: (body: ExplainSponsorshipRequest) =>
      routes.sponsorship.explain({ headers: headersOf(paymaster), body }),
  });
  const form = { isPending: ask.isPending, onAsk: ask.mutate };
  return (
    <Page
      title="Playground"
      lead="See how a request would be answered now, and why. Nothing is signed or held."
      doc="refusals"
    >
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

/** How a request would be answered now. Nothing was held or signed for it. */
function Explanation({ explanation }: { readonly explanation: ExplanationItem }) {
  const { outcome, trace, facts } = explanation;
  const { worstCase, usdMicrosPerCoin } = facts ?? {};
  return (
    <Card title="Answer now" lead="Nothing was signed, held or counted.">
      {outcome === 'refused' ? (
        <Refusal decision={explanation as DecisionItem} lead="It would be refused." />
      ) : (
        <Notice kind="good">
          <strong>{outcome === 'signed' ? 'It would be sponsored.' : 'It would be answered with a quote.'}</strong>
        </Notice>
      )}
      {worstCase === undefined ? null : (
        <Facts
          facts={[
            [
              'Maximum cost',
              <span key="cost">
                <Coin wei={worstCase} />
                {usdMicrosPerCoin === undefined ? null : (
                  <span className="muted"> · {usdText(usdOfWei(worstCase, usdMicrosPerCoin))}</span>
                )}
              </span>,
            ],
            facts?.account === undefined ? undefined : ['Account', facts.account.text],
          ]}
        />
      )}
      <DecisionTrace trace={trace} />
    </Card>
  );
}
