import type { SettlementItem } from '@tollfree/contract/decision-fields';
import { ExplorerValue } from '../../explorer/explorer-value.tsx';
import { Coin } from '../../parts/coin.tsx';
import { Facts } from '../../parts/facts.tsx';

const words: Readonly<Record<SettlementItem['state'], string>> = {
  live: 'Pending. The gas tank holds the maximum cost.',
  settled: 'Landed.',
  released: 'Not landed. The hold was released.',
};

/** What became of a signature on the chain. */
export function SettlementFacts({ settlement }: { readonly settlement: SettlementItem }) {
  const { state, held, charge, success, txHash, unpaid } = settlement;
  return (
    <Facts
      facts={[
        ['State', words[state]],
        ['Maximum', <Coin key="held" wei={held} />],
        charge === undefined ? undefined : ['Paid by the tank', <Coin key="charge" wei={charge} />],
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
