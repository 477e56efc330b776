import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { MetricRegistry } from '../../base/metrics/metric-registry.ts';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { BundlingParts } from '../../bundling/bundling-parts.ts';
import type { NodeTimesNote } from '../../node/chain-client.ts';
import type { QuestionNote } from '../../node/rpc/create-endpoint.ts';
import type { SigningNote } from '../../node/signers/create-remote-signer.ts';
import type { VendorNote } from '../../node/vendor/create-vendor.ts';
import type { PriceTimesNote } from '../../quotes/create-price-sources.ts';

/** Records response times of the machines that one chain depends on. */
type TimesNotes = {
  readonly node?: NodeTimesNote;
  readonly bundler?: QuestionNote;
  readonly price?: PriceTimesNote;
  readonly signing?: SigningNote;
  readonly vendor?: VendorNote;
};

export function noteTimes(chainId: number, metrics: MetricRegistry, clock: Clock): TimesNotes {
  const chain = String(chainId);
  return {
    node: (node, outcome, seconds) =>
      metrics.observe(coreMetrics.nodeSeconds, { chain, node: String(node), outcome }, seconds),
    bundler: (outcome, seconds) => metrics.observe(coreMetrics.bundlerSeconds, { chain, outcome }, seconds),
    price: (source, outcome, seconds) => {
      metrics.observe(coreMetrics.priceSeconds, { chain, source, outcome }, seconds);
      if (outcome === 'answered') metrics.set(coreMetrics.priceReadAt, { chain, source }, unixSeconds(clock));
    },
    vendor: (method, outcome) => metrics.count(coreMetrics.vendorQuestions, { chain, method, outcome }),
    signing: (place, outcome, seconds) =>
      metrics.observe(coreMetrics.signerSeconds, { chain, place, outcome }, seconds),
  };
}

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
