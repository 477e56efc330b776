import type { SettlementItem } from '@tollfree/contract/decision-fields';
import { ExplorerValue } from '../../explorer/explorer-value.tsx';
import { Coin } from '../../parts/coin.tsx';
import { Facts } from '../../parts/facts.tsx';

const words: Readonly<Record<SettlementItem['state'], string>> = {
  live: 'It may still land; its worst case is held in the tank.',
  settled: 'It landed.',
  released: 'It did not land; what was held for it was given back.',
};

/** What became of a signature on the chain. */
export function SettlementFacts({ settlement }: { readonly settlement: SettlementItem }) {
  const { state, held, charge, success, txHash, unpaid } = settlement;
  return (
    <Facts
      facts={[
        ['State', words[state]],
        ['At most', <Coin key="held" wei={held} />],
        charge === undefined ? undefined : ['Paid by the tank', <Coin key="charge" wei={charge} />],
        success === undefined
          ? undefined
          : ['Its own calls', success ? 'succeeded' : 'reverted; gas was paid all the same'],
        unpaid === undefined ? undefined : ['User', 'was to pay in a token and did not'],
        txHash === undefined
          ? undefined
          : ['Transaction', <ExplorerValue key="tx" kind="tx" hex={txHash} what="transaction hash" />],
      ]}
    />
  );
}
