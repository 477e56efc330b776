import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { ReactNode } from 'react';
import { paymastersQuery } from '../../api/of-account.ts';
import { Card } from '../../parts/card.tsx';
import { Chart, Sparkline } from '../../parts/chart/chart.tsx';
import { Live, Loaded, Loading } from '../../parts/loaded.tsx';
import { NetworkSwitch } from '../../parts/network-switch.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { type Network, networkOf, reasonText } from '../../parts/text/chain-name.ts';
import { dayText } from '../../parts/text/days.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { useNetwork } from '../../parts/use-network.ts';
import { Attention } from './attention.tsx';
import { SetUp } from './checklist.tsx';
import { PaymasterTable } from './paymaster-table.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { type DaySum, refusalRate, sumDays, totalOf } from './sum-usage.ts';
import { TankList } from './tank-list.tsx';
import { type PaymasterOverview, rowsOf, shownDays, useOverview } from './use-overview.ts';

const most = 5;

/** The most common reasons for refusals, each linked to its requests. */
function RefusalReasons({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const counts = new Map<string, { readonly count: number; readonly paymasterId: string }>();
  for (const { paymaster, refusals } of rows) {
    for (const { reason, count } of refusals) {
      const known = counts.get(reason) ?? { count: 0, paymasterId: paymaster.paymasterId };
      counts.set(reason, { ...known, count: known.count + count });
    }
  }
  const top = [...counts].sort(([, one], [, other]) => other.count - one.count).slice(0, most);
  const highest = top[0]?.[1].count ?? 1;
  return (
    <Card title="Top refusal reasons" lead="In 30 days, among the last 1,000 requests of each paymaster.">
      {top.length === 0 ? (
        <p className="muted">Nothing was refused.</p>
      ) : (
        <ul className="list tight">
          {top.map(([reason, { count, paymasterId }]) => (
            <li key={reason}>
              <div className="row">
                <Link to="/paymasters/$paymasterId/activity" params={{ paymasterId }} search={{ reason }}>
                  {reasonText(reason)}
                </Link>
                <span>{count}</span>
              </div>
              <div className="meter bad" aria-hidden="true">
                <span style={{ width: `${(count / highest) * 100}%` }} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The state of all paymasters, with urgent tasks at the top. */
export function OverviewPage() {
  const paymasters = useQuery(paymastersQuery);
  return (
    <Loaded query={paymasters}>
      {(list) => {
        const open = list.filter(({ retiredAt }) => retiredAt === undefined);
        return open.length === 0 ? (
          <Page title="Overview">
            <Card title="Start here" lead="A paymaster pays the gas of one application on one chain.">
              <p>
                <Link to="/paymasters" className="button primary">
                  Create your first paymaster
                </Link>
              </p>
            </Card>
          </Page>
        ) : (
          <OfNetwork paymasters={open} />
        );
      }}
    </Loaded>
  );
}

/** Coins of test networks are worthless, so their amounts are never added to those of main networks. */
function OfNetwork({ paymasters }: { readonly paymasters: readonly PaymasterItem[] }) {
  const chosen = useNetwork();
  const counts = { main: 0, test: 0 };
  for (const { chainId } of paymasters) counts[networkOf(chainId)] += 1;
  const usual: Network = counts.main > 0 ? 'main' : 'test';
  const network = chosen !== undefined && counts[chosen] > 0 ? chosen : usual;
  const some = paymasters.filter(({ chainId }) => networkOf(chainId) === network);
  return (
    <Overview
      key={network}
      paymasters={some}
      choice={counts.main > 0 && counts.test > 0 ? <NetworkSwitch network={network} /> : null}
    />
  );
}

type OverviewProps = { readonly paymasters: readonly PaymasterItem[]; readonly choice: ReactNode };

function Overview({ paymasters, choice }: OverviewProps) {
  const read = useOverview();
  const rows = read.data === undefined ? [] : rowsOf(paymasters, read.data);
  const left = paymasters.length - rows.length;
  const days = sumDays(
    rows.map((row) => row.days),
    shownDays,
    Date.now(),
  );
  return (
    <Page
      title="Overview"
      lead={
        read.data !== undefined && left > 0
          ? `The first ${rows.length} paymasters. ${left} more are in the menu.`
          : undefined
      }
      actions={
        <>
          <Live query={read} />
          {choice}
        </>
      }
    >
      <Problem error={read.error} />
      {read.data === undefined ? (
        read.error === null ? (
          <Loading />
        ) : null
      ) : (
        <>
          <Attention rows={rows} />
          <SetUp rows={rows} />
          <OverviewTiles days={days} />
          <Card
            title="Cost per day"
            lead="What you sponsored, in USD at the price when each operation landed: without what users paid in tokens. Days are in UTC."
          >
            <Chart
              shape="area"
              labels={days.map(({ day }) => dayText(day))}
              series={[{ name: 'Cost', values: days.map(({ usd }) => usd) }]}
              format={(value) => usdText(value.toFixed(6))}
            />
          </Card>
          <div className="columns">
            <RecentActivity rows={rows} />
            <div className="stack">
              <TankList rows={rows} />
              <RefusalReasons rows={rows} />
            </div>
          </div>
          {rows.length < 2 ? null : <PaymasterTable rows={rows} />}
        </>
      )}
    </Page>
  );
}

/** Spending, sponsored and refused requests, each with a sparkline. */
function OverviewTiles({ days }: { readonly days: readonly DaySum[] }) {
  const today = totalOf(days.slice(-1));
  const all = totalOf(days);
  const rates = days.map(({ signed, refused }) => (signed + refused === 0 ? 0 : refused / (signed + refused)));
  return (
    <dl className="tiles">
      <Tile title="Sponsored today" value={usdText(today.usd.toFixed(6))} note={noteOf(today.landed)} />
      <Tile
        title="Sponsored in 30 days"
        value={usdText(all.usd.toFixed(6))}
        note={all.unpriced === 0 ? undefined : `plus ${all.unpriced.toLocaleString('en')} without a price`}
        values={days.map(({ usd }) => usd)}
      />
      <Tile
        title="Operations in 30 days"
        value={all.landed.toLocaleString('en')}
        values={days.map(({ landed }) => landed)}
      />
      <Tile title="Refusal rate in 30 days" value={refusalRate(all)} values={rates} />
    </dl>
  );
}

function noteOf(landed: number): string {
  return `${landed.toLocaleString('en')} ${landed === 1 ? 'operation' : 'operations'} landed`;
}

type TileProps = {
  readonly title: string;
  readonly value: ReactNode;
  readonly note?: string | undefined;
  readonly values?: readonly number[];
};

function Tile({ title, value, note, values }: TileProps) {
  return (
    <div className="tile">
      <dt>{title}</dt>
      <dd>{value}</dd>
      {note === undefined ? null : <dd className="tile-note">{note}</dd>}
      {values === undefined ? null : (
        <dd className="tile-chart">
          <Sparkline values={values} />
        </dd>
      )}
    </div>
  );
}
