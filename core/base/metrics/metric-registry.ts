import type { LabelsOf, Metric, MetricDefinition, Sample } from './metric.ts';

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
