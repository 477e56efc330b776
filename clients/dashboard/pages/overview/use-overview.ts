import { useQuery } from '@tanstack/react-query';
import type { OverviewDay, OverviewDecision, OverviewPage, OverviewTank } from '@tollfree/contract/overview';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { live } from '../../api/live.ts';
import { overviewQuery } from '../../api/of-account.ts';

/** Number of days shown, including today. */
export const shownDays = 30;

/** The overview's data of one paymaster. */
export type PaymasterOverview = {
  readonly paymaster: PaymasterItem;
  readonly days: readonly OverviewDay[];
  readonly tank: OverviewTank | undefined;
  readonly recent: readonly OverviewDecision[];
  readonly refusals: OverviewPage['paymasters'][number]['refusals'];
  /** Whether a limit or a budget bounds what all senders together can spend. */
  readonly bounded: boolean;
  /** While they are not bounded: the suggested limit of a day, in USD. */
  readonly suggestedDailyUsd?: string | undefined;
};

/** Polls the overview while the page is visible. */
export function useOverview() {
  return useQuery({ ...overviewQuery, refetchInterval: live() });
}

/** The rows of those of the paymasters that were read. */
export function rowsOf(paymasters: readonly PaymasterItem[], page: OverviewPage): readonly PaymasterOverview[] {
  return page.paymasters.flatMap(({ paymasterId, tank, ...read }) => {
    const paymaster = paymasters.find((each) => each.paymasterId === paymasterId);
    const recent = page.recent.filter((each) => each.paymasterId === paymasterId);
    return paymaster === undefined ? [] : [{ ...read, paymaster, tank, recent }];
  });
}
