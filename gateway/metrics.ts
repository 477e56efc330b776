import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricDefinition, MetricSource } from '../core/base/metrics/metric.ts';
import { gatewayMetrics } from './gateway-metrics.ts';
import type { Readiness } from './health.ts';
import { addLedgerMetrics } from './ledger-metrics.ts';
import type { LedgerReader } from './ledger-reader.ts';
import type { MetricReader } from './metric-reader.ts';
import { renderMetrics } from './render-metrics.ts';

/** What the gateway counts, what the core tells of itself and what the ledger says. */
export type GatewayMetrics = {
  countRequest(route: string, method: string, status: number, seconds: number): void;
  countRefusal(reason: string): void;
  /** The text of `/metrics` and its content type. */
  expose(): Promise<{ text: string; contentType: string }>;
};

/** Where what the gateway does not count itself is read. Of these nothing rejects but `own`. */
export type MetricSources = {
  readonly readLedger: LedgerReader;
  readonly readFigures: MetricReader;
  readonly readiness: () => Promise<Readiness>;
  /** Figures of the gateway's process, where the core does not run in it. */
  readonly own?: MetricSource | undefined;
};

export function createGatewayMetrics(sources: MetricSources): GatewayMetrics {
  const registry = new Registry();
  addLedgerMetrics(registry, sources.readLedger);
  const requests = new Counter({ ...formOf(gatewayMetrics.requests), registers: [registry] });
  const { buckets } = gatewayMetrics.requestSeconds;
  const durations = new Histogram({
    ...formOf(gatewayMetrics.requestSeconds),
    buckets: [...buckets],
    registers: [registry],
  });
  const refusals = new Counter({ ...formOf(gatewayMetrics.refusals), registers: [registry] });
  const coreUp = new Gauge({ ...formOf(gatewayMetrics.coreUp), registers: [registry] });
  const ready = new Gauge({ ...formOf(gatewayMetrics.ready), registers: [registry] });
  const partReady = new Gauge({ ...formOf(gatewayMetrics.partReady), registers: [registry] });

  async function lookAtParts(): Promise<void> {
    const readiness = await sources.readiness();
    ready.set(readiness.ready ? 1 : 0);
    partReady.reset();
    for (const part of readiness.parts) partReady.set({ part: part.part }, part.ready ? 1 : 0);
  }

  return {
    countRequest(route, method, status, seconds) {
      requests.inc({ route, method, status });
      durations.observe({ route }, seconds);
    },
    countRefusal(reason) {
      refusals.inc({ reason });
    },
    async expose() {
      const [metrics] = await Promise.all([sources.readFigures(), lookAtParts()]);
      coreUp.set(metrics === undefined ? 0 : 1);
      const own = (await sources.own?.()) ?? [];
      const text = `${await registry.metrics()}\n${renderMetrics([...(metrics ?? []), ...own])}`;
      return { text, contentType: registry.contentType };
    },
  };
}

function formOf<const Form extends MetricDefinition>({ name, help, labels }: Form) {
  return { name, help, labelNames: labels as readonly Form['labels'][number][] };
}
