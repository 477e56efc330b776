import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { lazy, type ReactNode, Suspense } from 'react';
import { budgetsQuery, paymastersQuery } from '../../api/of-account.ts';
import { Card } from '../../parts/card.tsx';
import { Live, Loaded, Loading, Placeholder } from '../../parts/loaded.tsx';
import { NetworkSwitch } from '../../parts/network-switch.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { networkOf, networkTitles } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { Attention } from './attention.tsx';
import { type Compared, CostChart, OverviewTiles } from './overview-tiles.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { costOfAll, sumDays } from './sum-usage.ts';
import { type PaymasterOverview, rowsOf, shownDays, useOverview } from './use-overview.ts';
import { useShownPaymasters } from './use-shown-paymasters.ts';

// Only new paymasters have steps left to do.
const SetUp = lazy(async () => ({ default: (await import('./checklist.tsx')).SetUp }));
// Below everything else, so both may come later.
const SideColumn = lazy(async () => ({ default: (await import('./side-column.tsx')).SideColumn }));
const PaymasterTable = lazy(async () => ({ default: (await import('./paymaster-table.tsx')).PaymasterTable }));

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
  const { network, some, isBoth } = useShownPaymasters(paymasters);
  return <Overview key={network} paymasters={some} choice={isBoth ? <NetworkSwitch network={network} /> : null} />;
}

type OverviewProps = { readonly paymasters: readonly PaymasterItem[]; readonly choice: ReactNode };

function Overview({ paymasters, choice }: OverviewProps) {
  const read = useOverview();
  // Both are about what needs attention, which stands above everything else.
  const budgets = useQuery(budgetsQuery);
  const rows = read.data === undefined ? [] : rowsOf(paymasters, read.data);
  const left = paymasters.length - rows.length;
  const compared = compareDays(rows);
  return (
    <Page
      title="Overview"
      lead={
        read.data !== undefined && left > 0
          ? `The first ${counted(rows.length, 'paymaster')}. ${left} more ${left === 1 ? 'is' : 'are'} in the menu.`
          : countText(paymasters)
      }
      actions={
        <>
          <Live query={read} />
          {choice}
        </>
      }
    >
      <Problem error={read.error} />
      {read.data === undefined || budgets.isPending ? (
        read.error === null ? (
          <OverviewPlaceholder isOne={paymasters.length === 1} />
        ) : null
      ) : (
        // All at once: what is below the steps does not move when they come.
        <Suspense fallback={<OverviewPlaceholder isOne={paymasters.length === 1} />}>
          <Attention rows={rows} />
          {rows.some(({ tank }) => tank?.settled === '0') ? <SetUp rows={rows} /> : null}
          <OverviewTiles {...compared} />
          <CostChart {...compared} />
          <div className="columns">
            <RecentActivity rows={rows} />
            <Suspense>
              <SideColumn rows={rows} />
            </Suspense>
          </div>
          <Suspense>{rows.length < 2 ? null : <PaymasterTable rows={rows} />}</Suspense>
        </Suspense>
      )}
    </Page>
  );
}

function countText(paymasters: readonly PaymasterItem[]): string {
  const { length } = paymasters;
  const network = networkTitles[networkOf(paymasters[0]?.chainId ?? 0)].toLowerCase();
  return `${counted(length, 'paymaster')} on ${network}`;
}

/** The days that are shown and as many before, of all paymasters together. */
function compareDays(rows: readonly PaymasterOverview[]): Compared {
  const now = Date.now();
  const sums = (of: readonly PaymasterOverview[]) =>
    sumDays(
      of.map((row) => row.days),
      2 * shownDays,
      now,
    );
  const all = sums(rows);
  const each = rows.map((row) => sums([row]));
  return {
    before: all.slice(0, shownDays),
    days: all.slice(shownDays),
    costBefore: costOfAll(each.map((days) => days.slice(0, shownDays))),
    cost: costOfAll(each.map((days) => days.slice(shownDays))),
  };
}

/** A single paymaster may be new: its steps stand where those of others have their sums. */
function OverviewPlaceholder({ isOne }: { readonly isOne: boolean }) {
  if (isOne) return <Loading />;
  const compared = compareDays([]);
  return (
    <Placeholder>
      <div className="stack wide">
        <p className="notice">–</p>
        <OverviewTiles {...compared} />
        <CostChart {...compared} />
      </div>
    </Placeholder>
  );
}
