import { readFileSync, writeFileSync } from 'node:fs';
import type { MetricDefinition } from '../core/base/metrics/metric-registry.ts';
import { listedMetrics } from './list-metrics.ts';

const page = 'docs/reference/metrics.md';
const begin =
  '<!-- metrics: written by `npm run generate` from core/base/metrics, gateway/gateway-metrics.ts and server/process -->\n';
const end = '<!-- end of metrics -->';

function row({ name, kind, labels, help }: MetricDefinition): string {
  return `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
}

/** Writes the table of metrics into `docs/reference/metrics.md`. */
const text = readFileSync(page, 'utf8');
const [before = '', rest = ''] = text.split(begin);
const after = rest.slice(rest.indexOf(end));
const table = ['| metric | kind | labels | meaning |', '| --- | --- | --- | --- |', ...listedMetrics.map(row), ''];
writeFileSync(page, `${before}${begin}\n${table.join('\n')}\n${after}`);
