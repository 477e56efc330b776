import { coreMetrics } from '../core/base/metrics/core-metrics.ts';
import type { MetricDefinition } from '../core/base/metrics/metric-registry.ts';
import { gatewayMetrics } from '../gateway/gateway-metrics.ts';
import { processMetrics } from '../server/process/watch-process.ts';

/** All metrics, in the order of the documentation. */
export const listedMetrics: readonly MetricDefinition[] = [
  ...Object.values(coreMetrics),
  ...Object.values(gatewayMetrics),
  ...Object.values(processMetrics),
];
