import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import { ofChain } from '../../ledger/holds/upstream-working-set.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import type { Store } from '../../store/store.ts';
import { gauge } from './gauge.ts';

/** What the budgets for upstream paymasters are, and what they have come to. `now` in Unix seconds. */
export async function readUpstream(
  store: Store,
  chains: ReadonlyMap<number, ChainRuntime>,
  now: number,
): Promise<readonly Metric[]> {
  const budgets = [...chains].flatMap(([chainId, { upstream }]) =>
    upstream === undefined ? [] : [{ chainId, ...upstream.config.budget }],
  );
  const rows =
    budgets.length === 0
      ? []
      : await store.db
          .selectFrom('upstream_sums')
          .select(['chain_id', 'day', 'usd_micros'])
          .where('whose', '=', ofChain)
          .where('day', '>=', windowStart('month', now))
          .execute();
  const windows = budgets.flatMap(({ chainId, usdMicrosPerDay, usdMicrosPerMonth }) =>
    [['day', usdMicrosPerDay] as const, ['month', usdMicrosPerMonth] as const].map(([window, budget]) => {
      const since = windowStart(window, now);
      const some = rows.filter(({ chain_id, day }) => chain_id === chainId && day >= since);
      const spent = some.reduce((sum, { usd_micros }) => sum + Number(usd_micros), 0);
      return { labels: { chain: String(chainId), window }, spent: spent / 1e6, budget: Number(budget) / 1e6 };
    }),
  );
  return [
    gauge(
      coreMetrics.upstreamSpent,
      windows.map(({ labels, spent }) => ({ labels, value: spent })),
    ),
    gauge(
      coreMetrics.upstreamBudget,
      windows.map(({ labels, budget }) => ({ labels, value: budget })),
    ),
  ];
}
