import type { Metric, Sample } from '../core/base/metrics/metric.ts';

/**
 * Figures in the text format of Prometheus (version 0.0.4). Two of one name, of the core's process and of our own, become
 * one: a name may begin only once.
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
