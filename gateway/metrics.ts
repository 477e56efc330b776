import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Metric, MetricDefinition, MetricSource, Sample } from '../core/base/metrics/metric-registry.ts';
import type { LedgerState } from '../core/domain/ledger-report.ts';
import type { LedgerReader, MetricReader } from './core-readers.ts';
import { gatewayMetrics } from './gateway-metrics.ts';
import type { Readiness } from './health.ts';

/** The gateway's own metrics, the core's, and those of the ledger. */
export type GatewayMetrics = {
  countRequest(route: string, method: string, status: number, seconds: number): void;
  countRefusal(reason: string): void;
  expose(): Promise<{ text: string; contentType: string }>;
};

/** Sources of metrics that the gateway does not count itself. Only `own` may reject. */
type MetricSources = {
  readonly readLedger: LedgerReader;
  readonly readMetrics: MetricReader;
  readonly readiness: () => Promise<Readiness>;
  /** Metrics of the gateway's process, if the core runs in another one. */
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
      const [metrics] = await Promise.all([sources.readMetrics(), lookAtParts()]);
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

type LedgerForm = { readonly name: string; readonly help: string; readonly labels: readonly ['chain', 'contract'] };

/**
 * The stored ledger sums of each paymaster contract, read with the metrics. Without an answer there are no samples, and no
 * difference for a contract whose chain could not be read. A metric is a double, in which nonzero values stay nonzero;
 * `tollfree ledger check` shows the exact wei.
 */
function addLedgerMetrics(registry: Registry, readLedger: LedgerReader): void {
  addGauge(gatewayMetrics.ledgerDifference, ({ difference }) => difference);
  addGauge(gatewayMetrics.ledgerUnreachable, ({ state }) => (state === 'unreachable' ? 1n : 0n));
  addGauge(gatewayMetrics.ledgerBlock, ({ atBlock }) => atBlock);
  addGauge(gatewayMetrics.held, ({ held }) => held);

  function addGauge({ name, help, labels }: LedgerForm, read: (state: LedgerState) => bigint | undefined): void {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        const states = await readLedger();
        this.reset();
        for (const state of states ?? []) {
          const value = read(state);
          if (value !== undefined) this.set({ chain: state.chainId, contract: state.contract }, Number(value));
        }
      },
    });
  }
}

/**
 * Metrics in Prometheus's text format (version 0.0.4). Metrics of the same name, from the core's process and our own, are
 * merged: a name may only occur once.
 */
export function renderMetrics(metrics: readonly Metric[]): string {
  const byName = new Map<string, Metric>();
  for (const metric of metrics) {
    const samples = [...(byName.get(metric.name)?.samples ?? []), ...metric.samples];
    byName.set(metric.name, { ...metric, samples });
  }
  return [...byName.values()].map(render).join('\n');
}

function render({ name, kind, help, samples }: Metric): string {
  const head = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${kind}`];
  return `${[...head, ...samples.map((sample) => line(name, sample))].join('\n')}\n`;
}

function line(name: string, { suffix, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${number(value)}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

function number(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
