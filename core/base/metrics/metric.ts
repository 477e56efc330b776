import { z } from 'zod';
import { float, listOf, message, text, textMap } from '../message-schema.ts';

/** What a metric is: a count that only grows, a level, or how often values fell below bounds. */
const metricKinds = ['counter', 'gauge', 'histogram'] as const;
type MetricKind = (typeof metricKinds)[number];

/** Which number of a histogram it is; empty for a counter or a gauge. */
const sampleSuffixes = ['', '_bucket', '_sum', '_count'] as const;

/** One number of a metric. A bucket has its upper bound as the label `le`. */
const SampleSchema = message('FigureSample', {
  /** For a histogram, which of its numbers it is: `_bucket`, `_sum` or `_count`. Otherwise empty. */
  suffix: z.enum(sampleSuffixes),
  labels: textMap('FigureLabels'),
  /** In the unit at the end of the metric's name. */
  value: float,
});
export type Sample = z.output<typeof SampleSchema>;

/** A metric of the service for its operator, in the form of Prometheus; its name includes the unit. */
export const MetricSchema = message('Figure', {
  /** Including its unit. */
  name: text,
  kind: z.enum(metricKinds),
  /** Its meaning, for people. */
  help: text,
  samples: listOf(SampleSchema),
});
export type Metric = z.output<typeof MetricSchema>;

/** Reads the current metrics. */
export type MetricSource = () => readonly Metric[] | Promise<readonly Metric[]>;

/**
 * The definition of a metric. Label values come from a closed set or from the operator's configuration, never from a client,
 * since each value is a series to keep. `buckets` of a histogram are upper bounds.
 */
export type MetricDefinition = {
  readonly name: string;
  readonly kind: MetricKind;
  readonly labels: readonly string[];
  readonly help: string;
  readonly buckets?: readonly number[];
};

/** The labels of a metric with this definition. */
export type LabelsOf<Form extends MetricDefinition> = Readonly<Record<Form['labels'][number], string>>;

/** Upper bounds for the duration of a question to another machine, in seconds. */
export const questionSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
