import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import type { MetricRegistry } from '../../base/metrics/metric-registry.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import type { EntryFollower } from './follow-entries.ts';
import { gauge } from './gauge.ts';

/** USD in millionths, for 10^18 wei. */
const weiPerCoin = 10n ** 18n;

/** Prices of the coins, and with them counts in USD what operations have cost since. */
export async function readPrices(
  chains: ReadonlyMap<number, ChainRuntime>,
  entries: EntryFollower,
  metrics: MetricRegistry,
): Promise<readonly Metric[]> {
  const prices = await Promise.all(
    [...chains].map(async ([chainId, { rates }]) => {
      const price = await rates.nativeUsdMicros();
      return price.ok ? [{ chainId, micros: price.value }] : [];
    }),
  );
  const known = prices.flat();
  for (const { chainId, micros } of known) {
    const cost = entries.unpriced.get(chainId) ?? 0n;
    entries.forget(chainId, cost);
    const nanos = (cost * micros * 1_000n) / weiPerCoin;
    metrics.count(coreMetrics.costUsd, { chain: String(chainId) }, Number(nanos) / 1e9);
  }
  return [
    gauge(
      coreMetrics.coinUsd,
      known.map(({ chainId, micros }) => ({ labels: { chain: String(chainId) }, value: Number(micros) / 1e6 })),
    ),
  ];
}
