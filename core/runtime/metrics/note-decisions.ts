import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { MetricRegistry } from '../../base/metrics/metric-registry.ts';
import type { SponsorshipParts } from '../../sponsorship/run/sponsorship-parts.ts';

/** Counts the answers. Chains that are not configured come from clients, so they share one label. */
export function noteDecisions(
  metrics: MetricRegistry,
  chains: ReadonlyMap<number, unknown>,
): NonNullable<SponsorshipParts['noteDecision']> {
  return ({ chainId, outcome, mode = 'none', reason = 'none', withoutWebhooks = false }) => {
    const chain = chains.has(chainId) ? String(chainId) : 'other';
    metrics.count(coreMetrics.decisions, { chain, outcome, mode, reason });
    if (withoutWebhooks) metrics.count(coreMetrics.withoutWebhooks, { chain });
  };
}
