import type { MetricDefinition } from '../core/base/metrics/metric-registry.ts';

/** Metrics of each gateway about itself and its core's answers. */
export const gatewayMetrics = {
  requests: {
    name: 'tollfree_http_requests_total',
    kind: 'counter',
    labels: ['route', 'method', 'status'],
    help: 'HTTP requests by route, method and status.',
  },
  requestSeconds: {
    name: 'tollfree_http_request_duration_seconds',
    kind: 'histogram',
    labels: ['route'],
    help: 'Time from a request’s headers to the end of its answer, by route.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  refusals: {
    name: 'tollfree_refusals_total',
    kind: 'counter',
    labels: ['reason'],
    help: 'Refused calls by reason.',
  },
  coreUp: {
    name: 'tollfree_core_up',
    kind: 'gauge',
    labels: [],
    help: '1 while the core answers with its metrics. Otherwise only the gateway’s own metrics are present.',
  },
  ready: {
    name: 'tollfree_ready',
    kind: 'gauge',
    labels: [],
    help: '1 while /readyz answers 200.',
  },
  partReady: {
    name: 'tollfree_part_ready',
    kind: 'gauge',
    labels: ['part'],
    help: '1 while a part of /readyz is ready, 0 while it is not.',
  },
  ledgerDifference: {
    name: 'tollfree_ledger_difference_wei',
    kind: 'gauge',
    labels: ['chain', 'contract'],
    help: 'Deposit on chain minus deposit in the ledger; any value other than 0 is a fault.',
  },
  ledgerUnreachable: {
    name: 'tollfree_ledger_unreachable',
    kind: 'gauge',
    labels: ['chain', 'contract'],
    help: '1 while the chain cannot be read to compare it with the ledger.',
  },
  ledgerBlock: {
    name: 'tollfree_ledger_block',
    kind: 'gauge',
    labels: ['chain', 'contract'],
    help: 'Last block in the ledger; it stops while the ledger cannot follow the chain.',
  },
  held: {
    name: 'tollfree_gas_tank_held_wei',
    kind: 'gauge',
    labels: ['chain', 'contract'],
    help: 'Held in all gas tanks of the contract for signatures that may land.',
  },
} as const satisfies Record<string, MetricDefinition>;
