import { Counter, Histogram, Registry } from 'prom-client';
import { addLedgerMetrics } from './ledger-metrics.ts';
import type { LedgerReader } from './ledger-reader.ts';

/** What the gateway counts and what the books say, in a registry of its own. */
export type GatewayMetrics = {
  countRequest(route: string, method: string, status: number, seconds: number): void;
  countRefusal(reason: string): void;
  /** The text of `/metrics` and its content type. */
  expose(): Promise<{ text: string; contentType: string }>;
};

export function createGatewayMetrics(readLedger: LedgerReader): GatewayMetrics {
  const registry = new Registry();
  addLedgerMetrics(registry, readLedger);
  const requests = new Counter({
    name: 'tollfree_http_requests_total',
    help: 'HTTP requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'tollfree_http_request_duration_seconds',
    help: 'Time from a request’s headers to the end of its answer, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'tollfree_refusals_total',
    help: 'Refused calls by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  return {
    countRequest(route, method, status, seconds) {
      requests.inc({ route, method, status });
      durations.observe({ route }, seconds);
    },
    countRefusal(reason) {
      refusals.inc({ reason });
    },
    expose: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}
