import { Link } from '@tanstack/react-router';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { CostBar } from '../../parts/cost-bar.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { chainLabel } from '../../parts/text/chain-name.ts';
import { daysLeftText } from '../../parts/text/days.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { PaymasterBadge } from '../paymasters/paymaster-badge.tsx';
import { refusalRate, sumDays, totalOf } from './sum-usage.ts';
import { type PaymasterOverview, shownDays } from './use-overview.ts';

/** One line per paymaster, the most expensive first. */
export function PaymasterTable({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const lines = rows
    .map((row) => ({ ...row, total: totalOf(sumDays([row.days], shownDays, Date.now())) }))
    .sort((one, other) => other.total.own - one.total.own);
  const highest = Math.max(0, ...lines.map(({ total: { own, users } }) => own + users));
  return (
    <Card title="Paymasters" lead="The last 30 days.">
      <DataTable
        caption="Paymasters"
        layout="whole-rows"
        rows={lines}
        keyOf={({ paymaster }) => paymaster.paymasterId}
        columns={[
          {
            title: 'Paymaster',
            share: 15,
            cell: ({ paymaster: { paymasterId, name, chainId } }) => (
              <div>
                <Link to="/paymasters/$paymasterId/activity" params={{ paymasterId }} className="row-link">
                  {name}
                </Link>
                <span className="under">{chainLabel(chainId)}</span>
              </div>
            ),
          },
          {
            title: 'State',
            share: 16,
            cell: ({ paymaster, tank }) => <StateBadge paymaster={paymaster} tank={tank} />,
          },
          {
            title: 'You paid',
            share: 28,
            cell: ({ total }) => <CostBar cost={total} highest={highest} unpriced={total.unpriced} />,
          },
          { title: 'Operations', share: 11, isNumber: true, cell: ({ total }) => total.landed.toLocaleString(locale) },
          { title: 'Each', share: 9, isNumber: true, cell: ({ total }) => eachText(total) },
          { title: 'Refused', share: 9, isNumber: true, cell: ({ total }) => refusalRate(total) },
          {
            title: 'Tank lasts',
            share: 12,
            isNumber: true,
            cell: ({ tank }) => (tank?.daysLeft === undefined ? '–' : daysLeftText(tank.daysLeft)),
          },
        ]}
      />
    </Card>
  );
}

/** Whether it can sponsor: an empty tank stops it as much as a pause. */
function StateBadge({ paymaster, tank }: Pick<PaymasterOverview, 'paymaster' | 'tank'>) {
  const isStopped = paymaster.pausedAt !== undefined || paymaster.retiredAt !== undefined;
  if (!isStopped && tank?.available === '0') return <Badge kind="bad">Tank empty</Badge>;
  return <PaymasterBadge paymaster={paymaster} />;
}

/** What an operation whose price is known cost, users' part included. */
function eachText({ own, users, landed, unpriced }: ReturnType<typeof totalOf>): string {
  return landed === unpriced ? '–' : usdText(((own + users) / (landed - unpriced)).toFixed(6));
}
