import type { MetricDefinition } from '../../core/base/metrics/metric-registry.ts';

const labels = ['process'] as const;

export const processMetrics = {
  build: {
    name: 'tollfree_build_info',
    kind: 'gauge',
    labels: ['process', 'version', 'commit', 'schema', 'node'],
    help: '1, with the version of the program and of Node.js, the commit of the build and the schema of the database.',
  },
  certificate: {
    name: 'tollfree_certificate_expiry_time_seconds',
    kind: 'gauge',
    labels: ['process', 'setting'],
    help: 'When a TLS certificate that the process started with expires, in Unix seconds. setting: what names its file.',
  },
  started: {
    name: 'tollfree_process_start_time_seconds',
    kind: 'gauge',
    labels,
    help: 'Start time of the process, in Unix seconds.',
  },
  cpu: {
    name: 'tollfree_process_cpu_seconds_total',
    kind: 'counter',
    labels,
    help: 'CPU time of all threads.',
  },
  memory: {
    name: 'tollfree_process_resident_memory_bytes',
    kind: 'gauge',
    labels,
    help: 'Resident memory.',
  },
  heap: {
    name: 'tollfree_process_heap_used_bytes',
    kind: 'gauge',
    labels,
    help: 'Heap memory in use.',
  },
  busy: {
    name: 'tollfree_event_loop_busy_seconds_total',
    kind: 'counter',
    labels,
    help: 'Time the event loop was busy. Its rate is the used fraction of one core; 1 is fully busy.',
  },
  delay: {
    name: 'tollfree_event_loop_delay_seconds',
    kind: 'histogram',
    labels,
    help: 'Delay of a timer that is due four times per second.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  logLines: {
    name: 'tollfree_log_lines_total',
    kind: 'counter',
    labels: ['process', 'level'],
    help: 'Log lines about problems. level: warn or error.',
  },
} as const satisfies Record<string, MetricDefinition>;
