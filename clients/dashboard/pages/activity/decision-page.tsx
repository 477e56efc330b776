import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { decisionQuery } from '../../api/of-paymaster.ts';
import { ExplorerValue } from '../../explorer/explorer-value.tsx';
import { OnExplorer } from '../../explorer/on-explorer.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { DecisionTrace } from './decision-trace.tsx';
import { Fix } from './fix.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';
import { SettlementFacts } from './settlement-facts.tsx';

/** One answer: what was asked, which rules decided, and what to do about a refusal. */
export function DecisionPage() {
  const { decisionId } = useParams({ from: '/paymasters/$paymasterId/activity/$decisionId' });
  const paymaster = usePaymaster();
  const query = useQuery(decisionQuery(paymaster, decisionId));
  const { paymasterId } = paymaster;
  return (
    <Page
      title="Answer"
      lead={
        <Link to="/paymasters/$paymasterId/activity" params={{ paymasterId }}>
          Back to activity
        </Link>
      }
    >
      <Loaded query={query}>
        {(decision) => (
          <>
            {decision.outcome === 'refused' ? <Refusal decision={decision} /> : null}
            <Card title="Request">
              <AskedFacts decision={decision} />
            </Card>
            {decision.settlement === undefined ? null : (
              <Card title="Outcome">
                <SettlementFacts settlement={decision.settlement} />
              </Card>
            )}
            <Card title="Decision trace" lead="The rules in the order they ran.">
              <DecisionTrace trace={decision.trace} />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Refusal({ decision }: { readonly decision: DecisionItem }) {
  const remedy = decision.trace.find(({ verdict }) => verdict === 'refused')?.remedy;
  return (
    <Card title="Refused because">
      <Notice kind="bad">
        <p>
          <strong>{decision.message}</strong>
        </p>
        {remedy === undefined ? null : <p>{remedy}</p>}
      </Notice>
      <Fix decision={decision} />
    </Card>
  );
}

function AskedFacts({ decision }: { readonly decision: DecisionItem }) {
  const { decidedAt, outcome, reason, method, sender, nonce, facts, mode, policyId } = decision;
  const calls = facts?.calls ?? [];
  return (
    <Facts
      facts={[
        ['Answer', <OutcomeBadge key="outcome" outcome={outcome} />],
        ['When', <Moment key="when" at={decidedAt} />],
        reason === undefined ? undefined : ['Reason', <code key="reason">{reason}</code>],
        ['API key', <code key="method">{method}</code>],
        mode === undefined ? undefined : ['Who pays', mode === 'SPONSORED' ? 'you' : 'the user, in a token'],
        policyId === undefined ? undefined : ['Policy', policyId],
        sender === undefined
          ? undefined
          : ['Sender', <ExplorerValue key="sender" kind="address" hex={sender} what="sender" />],
        nonce === undefined ? undefined : ['Nonce', <code key="nonce">{nonce}</code>],
        calls.length === 0
          ? undefined
          : [
              'Calls',
              <ul key="calls">
                {calls.map(({ target, selector }) => (
                  <li key={`${target} ${selector}`}>
                    <OnExplorer kind="address" hex={target}>
                      <code>{target}</code>
                    </OnExplorer>{' '}
                    {selector === undefined ? 'transfer of the native coin' : <code>{selector}</code>}
                  </li>
                ))}
              </ul>,
            ],
        facts?.account === undefined ? undefined : ['Account', facts.account.text],
        facts?.attribution === undefined ? undefined : ['Attribution codes', facts.attribution.join(', ')],
        ['Decision id', <Value key="id" text={decision.decisionId} what="decision id" />],
      ]}
    />
  );
}
