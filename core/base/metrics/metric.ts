import { z } from 'zod';
import { float, listOf, message, text, textMap } from '../message-schema.ts';
/** What a metric is: a count that only grows, a level, or how often values fell below bounds. */
export const metricKinds = ['counter', 'gauge', 'histogram'] as const;
export type MetricKind = (typeof metricKinds)[number];

/** Which of a histogram's numbers it is; empty for a counter or a gauge. */
export const sampleSuffixes = ['', '_bucket', '_sum', '_count'] as const;
export type SampleSuffix = (typeof sampleSuffixes)[number];

/** One number of a metric. A bucket has its upper bound as the label `le`. */
export const SampleSchema = message('FigureSample', {
  /** Of a histogram which of its numbers it is: `_bucket`, `_sum` or `_count`. Else empty. */
  suffix: z.enum(sampleSuffixes),
  labels: textMap('FigureLabels'),
  /** In the unit that the figure's name ends with. */
  value: float,
});
export type Sample = z.output<typeof SampleSchema>;

/** A metric of the service for its operator, in the form of Prometheus; the unit stands in its name. */
export const MetricSchema = message('Figure', {
  /** With its unit. */
  name: text,
  kind: z.enum(metricKinds),
  /** What it means, for people. */
  help: text,
  samples: listOf(SampleSchema),
});
export type Metric = z.output<typeof MetricSchema>;

/** Reads metrics as they are now. */
export type MetricSource = () => readonly Metric[] | Promise<readonly Metric[]>;
