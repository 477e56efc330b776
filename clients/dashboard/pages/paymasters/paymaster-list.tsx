import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OverviewDay, OverviewPage } from '@tollfree/contract/overview';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { overviewQuery } from '../../api/of-account.ts';
import { CostBar } from '../../parts/cost-bar.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { chainLabel } from '../../parts/text/chain-name.ts';
import { dayText, lastsShortText } from '../../parts/text/days.ts';
import { splitCost } from '../../parts/text/split-cost.ts';
import { Coin } from '../../parts/usd.tsx';
import { PaymasterBadge } from './paymaster-badge.tsx';

type Line = {
  readonly paymaster: PaymasterItem;
  /** Undefined until it is read, and for those that are retired. */
  readonly use: OverviewPage['paymasters'][number] | undefined;
  readonly total: ReturnType<typeof sumCost>;
};

/** The paymasters by chain and name with their state, cost and gas tank; those that are retired at the end. */
export function PaymasterList({ paymasters }: { readonly paymasters: readonly PaymasterItem[] }) {
  const { data } = useQuery(overviewQuery);
  const lines = paymasters.toSorted(byChainAndName).map((paymaster): Line => {
    const use = data?.paymasters.find(({ paymasterId }) => paymasterId === paymaster.paymasterId);
    return { paymaster, use, total: sumCost(use?.days ?? [], Date.now()) };
  });
  const highest = Math.max(0, ...lines.map(({ total: { own, users } }) => own + users));
  return (
    <DataTable
      caption="Paymasters"
      rows={lines}
      keyOf={({ paymaster }) => paymaster.paymasterId}
      columns={[
        {
          title: 'Name',
          share: 24,
          cell: ({ paymaster: { name, paymasterId, chainId, contract } }) => (
            <div>
              <Link to="/paymasters/$paymasterId" params={{ paymasterId }}>
                {name}
              </Link>
              <span className="under">
                {chainLabel(chainId)} ·{' '}
                {contract === undefined ? 'version no longer served' : `EntryPoint ${contract.entryPointVersion}`}
              </span>
            </div>
          ),
        },
        {
          title: 'State',
          share: 22,
          cell: ({ paymaster, use }) => (
            <div>
              <PaymasterBadge paymaster={paymaster} />
              <span className="under">
                <Since paymaster={paymaster} use={use} />
              </span>
            </div>
          ),
        },
        {
          title: 'Cost',
          share: 30,
          cell: ({ use, total }) =>
            use === undefined ? (
              <span className="muted">–</span>
            ) : (
              <CostBar cost={total} highest={highest} unpriced={total.unpriced} />
            ),
        },
        { title: 'Gas tank', share: 24, isNumber: true, cell: (line) => <Tank {...line} /> },
      ]}
    />
  );
}

const shownDays = 30;

/** What was paid in the last days up to a moment (milliseconds), and for how many operations no price was known. */
function sumCost(days: readonly OverviewDay[], now: number) {
  const first = new Date(now - (shownDays - 1) * 86_400_000).toISOString().slice(0, 10);
  const shown = days.filter(({ day }) => day >= first).map((day) => ({ ...splitCost(day), unpriced: day.unpriced }));
  const add = (of: (day: (typeof shown)[number]) => number) => shown.reduce((sum, day) => sum + of(day), 0);
  return { own: add(({ own }) => own), users: add(({ users }) => users), unpriced: add(({ unpriced }) => unpriced) };
}

function byChainAndName(one: PaymasterItem, other: PaymasterItem): number {
  const isRetired = ({ retiredAt }: PaymasterItem) => Number(retiredAt !== undefined);
  return isRetired(one) - isRetired(other) || one.chainId - other.chainId || one.name.localeCompare(other.name);
}

/** Since when it is not active, or the day of its last request. */
function Since({ paymaster: { pausedAt, retiredAt }, use }: Pick<Line, 'paymaster' | 'use'>) {
  const since = retiredAt ?? pausedAt;
  if (since !== undefined) {
    return (
      <>
        since <Moment at={since} />
      </>
    );
  }
  if (use === undefined) return '…';
  const last = use.days.at(-1)?.day;
  return last === undefined ? 'no request in 60 days' : `last request on ${dayText(last)}`;
}

function Tank({ paymaster: { chainId, paymasterId }, use }: Line) {
  const tank = use?.tank;
  if (tank === undefined) return <span className="muted">–</span>;
  return (
    <div>
      <Link to="/paymasters/$paymasterId/gas-tank" params={{ paymasterId }}>
        {tank.available === '0' ? 'Empty' : <Coin wei={tank.available} chainId={chainId} />}
      </Link>
      <span className="under">
        {tank.available === '0' ? 'fill it to sponsor' : lastsShortText(tank.daysLeft, Date.now())}
      </span>
    </div>
  );
}
