/** What a metric is: a count that only grows, a level, or how often values fell below bounds. */
export const metricKinds = ['counter', 'gauge', 'histogram'] as const;
export type MetricKind = (typeof metricKinds)[number];

/** Which of a histogram's numbers it is; empty for a counter or a gauge. */
export const sampleSuffixes = ['', '_bucket', '_sum', '_count'] as const;
export type SampleSuffix = (typeof sampleSuffixes)[number];

/** One number of a metric. A bucket has its upper bound as the label `le`. */
export type Sample = {
  readonly suffix: SampleSuffix;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** A metric of the service for its operator, in the form of Prometheus; the unit stands in its name. */
export type Metric = {
  readonly name: string;
  readonly kind: MetricKind;
  /** What it means, for people. */
  readonly help: string;
  readonly samples: readonly Sample[];
};

/** Reads metrics as they are now. */
export type MetricSource = () => readonly Metric[] | Promise<readonly Metric[]>;
