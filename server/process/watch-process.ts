import { performance } from 'node:perf_hooks';
import type { Logger } from '../../core/base/logger.ts';
import {
  counter,
  createMetricRegistry,
  gauge,
  histogram,
  type Metric,
  type MetricDefinition,
  type MetricRegistry,
  type MetricSource,
} from '../../core/base/metrics/metric-registry.ts';
import type { CertificateExpiries } from '../watch-certificate.ts';
import { readBuild } from './read-build.ts';

export const processMetrics = {
  build: {
    ...gauge('tollfree_build_info', 'process', 'version', 'commit', 'schema', 'node'),
    help: '1, with the version of the program and of Node.js, the commit of the build and the schema of the database.',
  },
  certificate: {
    ...gauge('tollfree_certificate_expiry_time_seconds', 'process', 'setting'),
    help: 'When a TLS certificate that the process started with expires, in Unix seconds. setting: what names its file.',
  },
  started: {
    ...gauge('tollfree_process_start_time_seconds', 'process'),
    help: 'Start time of the process, in Unix seconds.',
  },
  cpu: {
    ...counter('tollfree_process_cpu_seconds_total', 'process'),
    help: 'CPU time of all threads.',
  },
  memory: {
    ...gauge('tollfree_process_resident_memory_bytes', 'process'),
    help: 'Resident memory.',
  },
  heap: {
    ...gauge('tollfree_process_heap_used_bytes', 'process'),
    help: 'Heap memory in use.',
  },
  busy: {
    ...counter('tollfree_event_loop_busy_seconds_total', 'process'),
    help: 'Time the event loop was busy. Its rate is the used fraction of one core; 1 is fully busy.',
  },
  delay: {
    ...histogram('tollfree_event_loop_delay_seconds', 'process'),
    help: 'Delay of a timer that is due four times per second.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  logLines: {
    ...counter('tollfree_log_lines_total', 'process', 'level'),
    help: 'Log lines about problems. level: warn or error.',
  },
} as const satisfies Record<string, MetricDefinition>;

/** Timer interval, in milliseconds. */
const betweenTimers = 250;

/** The kind of this service process. */
type ProcessName = 'node' | 'core' | 'gateway' | 'dev';

/** This process's metrics, and a logger that counts its problems. */
type WatchedProcess = { readonly metrics: MetricSource; readonly logger: Logger };

/** Starts counting log lines, and the lateness of timers. */
export function watchProcess(
  name: ProcessName,
  logger: Logger,
  certificates: CertificateExpiries = new Map(),
): WatchedProcess {
  const book = createMetricRegistry();
  const labels = { process: name };
  for (const level of ['warn', 'error']) book.count(processMetrics.logLines, { ...labels, level }, 0);
  watchDelay((seconds) => book.observe(processMetrics.delay, labels, seconds));
  return {
    metrics: () => [...readLevels(name, certificates), ...book.read()],
    logger: countLines(logger, book, name),
  };
}

/** Its timer does not keep the process alive. */
function watchDelay(note: (seconds: number) => void): void {
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    note(Math.max(now - last - betweenTimers, 0) / 1_000);
    last = now;
  }, betweenTimers).unref();
}

function countLines(logger: Logger, book: MetricRegistry, name: ProcessName): Logger {
  const counted = (level: 'warn' | 'error') => (fields: object, message: string) => {
    book.count(processMetrics.logLines, { process: name, level });
    logger[level](fields, message);
  };
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: counted('warn'),
    error: counted('error'),
  };
}

function readLevels(name: ProcessName, certificates: CertificateExpiries): readonly Metric[] {
  const book = createMetricRegistry();
  const labels = { process: name };
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const { version, commit = 'unknown', schema, node } = readBuild();
  book.count(processMetrics.build, { ...labels, version, commit, schema: String(schema), node });
  for (const [setting, at] of certificates) book.count(processMetrics.certificate, { ...labels, setting }, at);
  book.count(processMetrics.started, labels, performance.timeOrigin / 1_000);
  book.count(processMetrics.cpu, labels, (user + system) / 1e6);
  book.count(processMetrics.memory, labels, rss);
  book.count(processMetrics.heap, labels, heapUsed);
  book.count(processMetrics.busy, labels, performance.eventLoopUtilization().active / 1_000);
  return book.read();
}
