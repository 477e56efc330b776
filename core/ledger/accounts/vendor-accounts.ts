import { windowEnd, windowStart } from '../../policies/limit-window.ts';
import type { AccountName } from './ledger-accounts.ts';
import { windowOutlives } from './limit-accounts.ts';

/** How an account of a window is named, and how long it is kept. */
function windowOf(chainId: number, { whose, window, now }: WindowOf): AccountName {
  const start = windowStart(window, now);
  return {
    name: `vendor/${chainId}/${whose}/${start}`,
    keptUntil: (windowEnd(window, start) ?? start) + windowOutlives,
  };
}

type WindowOf = { readonly whose: string; readonly window: 'day' | 'month'; readonly now: number };

/** The accounts of another paymaster's budget on a chain, for the UTC day and month of `now` (Unix seconds). */
export function vendorBudgetAccounts(chainId: number, now: number): Readonly<Record<'day' | 'month', AccountName>> {
  return {
    day: windowOf(chainId, { whose: 'day', window: 'day', now }),
    month: windowOf(chainId, { whose: 'month', window: 'month', now }),
  };
}

/**
 * The accounts that count what another paymaster is asked for at `now` (Unix seconds): of its budget by day and month, of the
 * client by day, and of the statement by paymaster of ours and month, which is kept for good.
 */
export function vendorAccounts({ chainId, paymasterId, client, now }: AskedVendor) {
  return {
    ...vendorBudgetAccounts(chainId, now),
    client: client === undefined ? undefined : windowOf(chainId, { whose: `client/${client}`, window: 'day', now }),
    paymaster: { name: vendorStatementAccount({ chainId, paymasterId, month: windowStart('month', now) }) },
  };
}

type AskedVendor = {
  readonly chainId: number;
  readonly paymasterId: string;
  /** Who requests it, as a digest of the address; undefined if no client is counted. */
  readonly client: string | undefined;
  readonly now: number;
};

/** The account of what another paymaster was asked for by one of ours in the UTC month that begins at `month` (Unix seconds). */
export function vendorStatementAccount({ chainId, paymasterId, month }: MonthOfPaymaster): string {
  return `vendor/${chainId}/paymaster/${paymasterId}/${month}`;
}

type MonthOfPaymaster = { readonly chainId: number; readonly paymasterId: string; readonly month: number };
