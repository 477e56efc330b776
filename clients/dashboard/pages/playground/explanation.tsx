import type { DecisionItem, ExplanationItem } from '@tollfree/contract/decision-fields';
import { Card } from '../../parts/card.tsx';
import { Coin } from '../../parts/coin.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { DecisionTrace } from '../activity/decision-trace.tsx';
import { Fix } from '../activity/fix.tsx';

/** How a request would be answered now. Nothing was held or signed for it. */
export function Explanation({ explanation }: { readonly explanation: ExplanationItem }) {
  const { outcome, message, trace, facts } = explanation;
  const remedy = trace.find(({ verdict }) => verdict === 'refused')?.remedy;
  const { worstCase, usdMicrosPerCoin } = facts ?? {};
  return (
    <Card title="Answer now" lead="Nothing was signed, held or counted.">
      {outcome === 'refused' ? (
        <>
          <Notice kind="bad">
            <p>
              <strong>It would be refused. {message}</strong>
            </p>
            {remedy === undefined ? null : <p>{remedy}</p>}
          </Notice>
          <Fix decision={explanation as DecisionItem} />
        </>
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
