import { expect, test } from 'vitest';
import { createMetricRegistry, maxSeries } from '../../core/base/metrics/metric-registry.ts';
import { renderMetrics } from '../../gateway/metrics.ts';
import { readMetrics, sumOf } from '../support/metrics/scrape.ts';

const counter = { name: 'things_total', kind: 'counter', labels: ['name'], help: 'Things.' } as const;
const seconds = { name: 'wait_seconds', kind: 'histogram', labels: [], help: 'Waits.', buckets: [1, 2] } as const;

test('a histogram has every value in all buckets that it is below, and their sum', () => {
  const registry = createMetricRegistry();
  for (const value of [0.5, 1, 1.5, 7]) registry.observe(seconds, {}, value);
  const samples = readMetrics(renderMetrics(registry.read()));
  expect(samples.map(({ name, labels, value }) => [name, labels.le, value])).toEqual([
    ['wait_seconds_bucket', '1', 2],
    ['wait_seconds_bucket', '2', 3],
    ['wait_seconds_bucket', '+Inf', 4],
    ['wait_seconds_sum', undefined, 10],
    ['wait_seconds_count', undefined, 4],
  ]);
});

test('a metric has only so many series, and the earlier ones go on', () => {
  const registry = createMetricRegistry();
  for (let name = 0; name < maxSeries + 5; name += 1) registry.count(counter, { name: String(name) });
  registry.count(counter, { name: '0' }, 2);
  const samples = readMetrics(renderMetrics(registry.read()));
  expect(samples).toHaveLength(maxSeries);
  expect(sumOf(samples, 'things_total', { name: '0' })).toBe(3);
});

test('a metric that two processes have is declared once, and no label breaks a line', () => {
  const [one, other] = [createMetricRegistry(), createMetricRegistry()];
  one.count(counter, { name: 'a "b"\nc\\' });
  other.count(counter, { name: 'd' });
  const text = renderMetrics([...one.read(), ...other.read()]);
  expect(text).toBe(
    '# HELP things_total Things.\n# TYPE things_total counter\nthings_total{name="a \\"b\\"\\nc\\\\"} 1\nthings_total{name="d"} 1\n',
  );
});
