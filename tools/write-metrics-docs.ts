import type { MetricDefinition } from '../core/base/metrics/metric-registry.ts';
import { listedMetrics } from './list-metrics.ts';
import { writeBetweenMarkers } from './write-between-markers.ts';

function row({ name, kind, labels, help }: MetricDefinition): string {
  return `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
}

/** Writes the table of metrics into `docs/reference/metrics.md`. */
const table = ['| metric | kind | labels | meaning |', '| --- | --- | --- | --- |', ...listedMetrics.map(row), ''];
writeBetweenMarkers(
  'docs/reference/metrics.md',
  'metrics',
  'core/base/metrics, gateway/gateway-metrics.ts and server/process',
  table.join('\n'),
);
