import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import { ofChain } from '../../ledger/holds/upstream-working-set.ts';
import { windowStart } from '../../policies/schedule/limit-window.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import type { Store } from '../../store/store.ts';
import { gauge } from './gauge.ts';

/** How much of each upstream's budget is taken, as of `now` in Unix seconds. Asks nothing where there is no upstream. */
export async function readUpstreamBudgets(
  store: Store,
  chains: ReadonlyMap<number, ChainRuntime>,
  now: number,
): Promise<readonly Metric[]> {
  const budgets = [...chains].flatMap(([chainId, { upstream }]) =>
    upstream === undefined ? [] : [{ chainId, budget: upstream.config.budget }],
  );
  if (budgets.length === 0) return [];
  const sums = await store.db
    .selectFrom('upstream_sums')
    .select(['chain_id', 'day', 'usd_micros'])
    .where('whose', '=', ofChain)
    .where('day', '>=', windowStart('month', now))
    .execute();
  const usedSince = (chainId: number, start: number) =>
    sums.reduce((sum, row) => (row.chain_id === chainId && row.day >= start ? sum + BigInt(row.usd_micros) : sum), 0n);
  const levels = budgets.flatMap(({ chainId, budget }) =>
    [
      { window: 'day', max: budget.usdMicrosPerDay } as const,
      { window: 'month', max: budget.usdMicrosPerMonth } as const,
    ].map(({ window, max }) => {
      const used = usedSince(chainId, windowStart(window, now));
      return { labels: { chain: String(chainId), window }, value: max === 0n ? 1 : Number(used) / Number(max) };
    }),
  );
  return [gauge(coreMetrics.upstreamBudgetUsed, levels)];
}
