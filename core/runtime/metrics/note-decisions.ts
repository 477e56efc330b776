import { coreFigures } from '../../base/metrics/core-metrics.ts';
import type { FigureBook } from '../../base/metrics/metric-registry.ts';
import type { SponsorshipParts } from '../../sponsorship/run/sponsorship-parts.ts';

/** Counts the answers. A chain that is not configured was named by a client: all such are one. */
export function noteDecisions(
  figures: FigureBook,
  chains: ReadonlyMap<number, unknown>,
): NonNullable<SponsorshipParts['noteDecision']> {
  return ({ chainId, outcome, mode = 'none', reason = 'none', withoutWebhooks = false }) => {
    const chain = chains.has(chainId) ? String(chainId) : 'other';
    figures.count(coreFigures.decisions, { chain, outcome, mode, reason });
    if (withoutWebhooks) figures.count(coreFigures.withoutWebhooks, { chain });
  };
}
