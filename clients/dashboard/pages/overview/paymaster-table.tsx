import { Link } from '@tanstack/react-router';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { chainLabel } from '../../parts/text/chain-name.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';
import { PaymasterBadge } from '../paymasters/paymaster-badge.tsx';
import { refusalRate, sumDays, totalOf } from './sum-usage.ts';
import { type PaymasterOverview, shownDays } from './use-overview.ts';

/** One line per paymaster, the most expensive first. */
export function PaymasterTable({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const lines = rows
    .map((row) => ({ ...row, total: totalOf(sumDays([row.days], shownDays, Date.now())) }))
    .sort((one, other) => other.total.usd - one.total.usd);
  return (
    <Card title="Paymasters" lead="Cost and operations of 30 days.">
      <DataTable
        caption="Paymasters"
        layout="whole-rows"
        rows={lines}
        keyOf={({ paymaster }) => paymaster.paymasterId}
        columns={[
          {
            title: 'Paymaster',
            cell: ({ paymaster: { paymasterId, name, chainId } }) => (
              <div>
                <Link to="/paymasters/$paymasterId/activity" params={{ paymasterId }} className="row-link">
                  {name}
                </Link>
                <span className="under">{chainLabel(chainId)}</span>
              </div>
            ),
          },
          { title: 'State', cell: ({ paymaster }) => <PaymasterBadge paymaster={paymaster} /> },
          { title: 'Cost', isNumber: true, cell: ({ total }) => usdText(total.usd.toFixed(6)) },
          { title: 'Operations', isNumber: true, cell: ({ total }) => total.landed.toLocaleString('en') },
          { title: 'Refused', isNumber: true, cell: ({ total }) => refusalRate(total) },
          {
            title: 'In the tank',
            isNumber: true,
            cell: ({ tank, paymaster }) =>
              tank === undefined ? '–' : <Coin wei={tank.available} chainId={paymaster.chainId} />,
          },
        ]}
      />
    </Card>
  );
}
