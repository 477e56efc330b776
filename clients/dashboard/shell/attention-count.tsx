import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { budgetsQuery, overviewQuery, paymastersQuery } from '../api/of-account.ts';
import { listMatters } from '../pages/overview/list-matters.tsx';
import { rowsOf } from '../pages/overview/use-overview.ts';
import { useShownPaymasters } from '../pages/overview/use-shown-paymasters.ts';
import { Count } from '../parts/badge.tsx';
import { setAlerts } from '../parts/window-title.ts';

/** How often matters are counted again while another page than the overview is shown, in milliseconds. */
const countMs = 60_000;

function useMatters() {
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const { some } = useShownPaymasters(paymasters.filter(({ retiredAt }) => retiredAt === undefined));
  const { data: page } = useQuery({ ...overviewQuery, staleTime: countMs, refetchInterval: countMs });
  const { data: budgets = [] } = useQuery({ ...budgetsQuery, staleTime: countMs, refetchInterval: countMs });
  return page === undefined ? [] : listMatters(rowsOf(some, page), budgets);
}

/** The number of what needs attention: in the menu, the title of the window and its icon. */
export function OverviewCount() {
  const matters = useMatters();
  const count = matters.length;
  const isUrgent = matters.some((each) => each.isUrgent);
  useEffect(() => {
    setAlerts({ count, isUrgent });
    return () => setAlerts({ count: 0, isUrgent: false });
  }, [count, isUrgent]);
  return (
    <Count kind={isUrgent ? 'bad' : 'warn'} count={count} what={count === 1 ? 'needs attention' : 'need attention'} />
  );
}

/** A recommendation for the policy of a paymaster. */
export function PolicyCount({ paymasterId }: { readonly paymasterId: string }) {
  const { length } = useMatters().filter(({ unbounded = [] }) => unbounded.includes(paymasterId));
  return <Count kind="warn" count={length} what="recommended" />;
}
