import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { MetricRegistry } from '../../base/metrics/metric-registry.ts';
import type { BundlingParts } from '../../bundling/bundling-parts.ts';

/** Counts requests to bundlers. Chains that are not configured come from clients, so they share one label. */
export function noteBundlerCalls(
  metrics: MetricRegistry,
  chains: ReadonlyMap<number, unknown>,
): BundlingParts['noteCall'] {
  return (chainId, operation, outcome) => {
    const chain = chains.has(chainId) ? String(chainId) : 'other';
    metrics.count(coreMetrics.bundlerCalls, { chain, operation, outcome });
  };
}
