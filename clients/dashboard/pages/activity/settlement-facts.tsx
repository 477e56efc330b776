import type { DecisionItem, SettlementItem } from '@tollfree/contract/decision-fields';
import { operationStatusTexts } from '@tollfree/contract/operation-status';
import { ExplorerValue } from '../../explorer/explorer-value.tsx';
import { Coin } from '../../parts/coin.tsx';
import { Facts } from '../../parts/facts.tsx';
import { usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { usePrice } from '../../parts/worth.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { statusOf } from './fold-operations.ts';

export type SettlementFactsProps = { readonly settlement: SettlementItem; readonly decision: DecisionItem };

/** What became of a signature on the chain. */
export function SettlementFacts({ settlement, decision }: SettlementFactsProps) {
  const { held, charge, success, txHash, unpaid } = settlement;
  const usual = usePrice(usePaymaster());
  const price = decision.facts?.usdMicrosPerCoin ?? usual;
  const amount = (wei: string) => (
    <>
      <Coin wei={wei} />
      {price === undefined ? null : <span className="muted"> · {usdText(usdOfWei(wei, price))}</span>}
    </>
  );
  return (
    <Facts
      facts={[
        ['Status', operationStatusTexts[statusOf(decision)].meaning],
        ['Maximum', amount(held)],
        charge === undefined ? undefined : ['Paid by the tank', amount(charge)],
        success === undefined
          ? undefined
          : ['Its own calls', success ? 'succeeded' : 'reverted; the gas was paid nevertheless'],
        unpaid === undefined ? undefined : ['User', 'should have paid in a token but did not'],
        txHash === undefined
          ? undefined
          : ['Transaction', <ExplorerValue key="tx" kind="tx" hex={txHash} what="transaction hash" />],
      ]}
    />
  );
}
