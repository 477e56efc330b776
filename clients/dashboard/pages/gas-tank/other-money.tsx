import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { Card } from '../../parts/card.tsx';
import { Coin } from '../../parts/coin.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Short } from '../../parts/short.tsx';

/** What came in and fills no tank, and the tanks of former wallets. Nothing without either. */
export function OtherMoney({ tank }: { readonly tank: GasTankItem }) {
  const { strayDeposits = [], formerTanks = [] } = tank;
  return (
    <>
      {strayDeposits.length === 0 ? null : (
        <Card title="Deposits that filled no tank">
          <DataTable
            caption="Deposits that filled no tank"
            rows={strayDeposits}
            keyOf={({ txHash, amount }) => `${txHash} ${amount}`}
            columns={[
              { title: 'Transaction', cell: ({ txHash }) => <Short hex={txHash} /> },
              { title: 'Amount', isNumber: true, cell: ({ amount }) => <Coin wei={amount} /> },
              { title: 'How to recover', cell: ({ wayBack }) => wayBack },
            ]}
          />
        </Card>
      )}
      {formerTanks.length === 0 ? null : (
        <Card title="Tanks of former wallets" lead="Setting the wallet again restores its tank.">
          <DataTable
            caption="Tanks of former wallets"
            rows={formerTanks}
            keyOf={({ fundingWallet }) => fundingWallet}
            columns={[
              { title: 'Wallet', cell: ({ fundingWallet }) => <Short hex={fundingWallet} /> },
              { title: 'Balance', isNumber: true, cell: ({ left }) => <Coin wei={left} /> },
              { title: 'Held', isNumber: true, cell: ({ held }) => <Coin wei={held} /> },
            ]}
          />
        </Card>
      )}
    </>
  );
}
