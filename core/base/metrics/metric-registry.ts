import { z } from 'zod';
import { float, listOf, message, text, textMap } from '../message-schema.ts';

/** What a metric is: a count that only grows, a level, or how often values fell below bounds. */
const metricKinds = ['counter', 'gauge', 'histogram'] as const;
type MetricKind = (typeof metricKinds)[number];

/** Which number of a histogram it is; empty for a counter or a gauge. */
const sampleSuffixes = ['', '_bucket', '_sum', '_count'] as const;

/** One number of a metric. A bucket has its upper bound as the label `le`. */
const SampleSchema = message('MetricSample', {
  /** For a histogram, which of its numbers it is: `_bucket`, `_sum` or `_count`. Otherwise empty. */
  suffix: z.enum(sampleSuffixes),
  labels: textMap('MetricLabels'),
  /** In the unit at the end of the metric's name. */
  value: float,
});
export type Sample = z.output<typeof SampleSchema>;

/** A metric of the service for its operator, in the form of Prometheus; its name includes the unit. */
export const MetricSchema = message('Metric', {
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

const metricOf =
  <const Kind extends MetricKind>(kind: Kind) =>
  <const Labels extends readonly string[]>(name: string, ...labels: Labels) => ({ name, kind, labels });
/** Name, kind and labels of a metric. */
export const counter = metricOf('counter');
export const gauge = metricOf('gauge');
export const histogram = metricOf('histogram');

export type LabelsOf<Form extends MetricDefinition> = Readonly<Record<Form['labels'][number], string>>;

/** Upper bounds for the duration of a question to another machine, in seconds. */
export const questionSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Most series of one metric; further ones are not counted. */
export const maxSeries = 1_000;

/** Counts events in this process, from its start on. */
export type MetricRegistry = {
  /** Adds to a counter; `by` is 1 when absent. */
  count<const Form extends MetricDefinition>(form: Form, labels: LabelsOf<Form>, by?: number): void;
  /** Sets a gauge. */
  set<const Form extends MetricDefinition>(form: Form, labels: LabelsOf<Form>, value: number): void;
  /** Adds a value to a histogram. */
  observe<const Form extends MetricDefinition>(form: Form, labels: LabelsOf<Form>, value: number): void;
  /** All metrics, in the order of their first value. */
  read(): readonly Metric[];
};

type Series = {
  readonly labels: Readonly<Record<string, string>>;
  value: number;
  seen: number;
  /** How many values were at most each bound. */
  readonly below: number[];
};

export function createMetricRegistry(): MetricRegistry {
  const metrics = new Map<string, { readonly form: MetricDefinition; readonly series: Map<string, Series> }>();

  function seriesOf(form: MetricDefinition, labels: Readonly<Record<string, string>>): Series | undefined {
    const metric = metrics.get(form.name) ?? { form, series: new Map<string, Series>() };
    metrics.set(form.name, metric);
    const key = JSON.stringify(form.labels.map((label) => labels[label]));
    const known = metric.series.get(key);
    if (known !== undefined || metric.series.size >= maxSeries) return known;
    const added = { labels, value: 0, seen: 0, below: (form.buckets ?? []).map(() => 0) };
    metric.series.set(key, added);
    return added;
  }

  return {
    count: (form, labels, by = 1) => {
      const series = seriesOf(form, labels);
      if (series !== undefined) series.value += by;
    },
    set: (form, labels, value) => {
      const series = seriesOf(form, labels);
      if (series !== undefined) series.value = value;
    },
    observe: (form, labels, value) => {
      const series = seriesOf(form, labels);
      if (series === undefined) return;
      series.value += value;
      series.seen += 1;
      for (const [index, bound] of (form.buckets ?? []).entries()) {
        if (value <= bound) series.below[index] = (series.below[index] ?? 0) + 1;
      }
    },
    read: () =>
      [...metrics.values()].map(({ form, series }) => ({
        name: form.name,
        kind: form.kind,
        help: form.help,
        samples: [...series.values()].flatMap((one) => samplesOf(form, one)),
      })),
  };
}

function samplesOf(
  { kind, buckets = [] }: MetricDefinition,
  { labels, value, seen, below }: Series,
): readonly Sample[] {
  if (kind !== 'histogram') return [{ suffix: '', labels, value }];
  const bounded = buckets.map((bound, index) => ({
    suffix: '_bucket' as const,
    labels: { ...labels, le: String(bound) },
    value: below[index] ?? 0,
  }));
  return [
    ...bounded,
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: seen },
    { suffix: '_sum', labels, value },
    { suffix: '_count', labels, value: seen },
  ];
}
