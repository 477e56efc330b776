import type { MetricKind } from './metric.ts';

/**
 * What is known of a metric before it has a number. The values of a label come from a closed set or from the operator's
 * configuration, never from what a client says: each is a series to keep. `buckets` of a histogram are upper bounds.
 */
export type MetricDefinition = {
  readonly name: string;
  readonly kind: MetricKind;
  readonly labels: readonly string[];
  readonly help: string;
  readonly buckets?: readonly number[];
};

/** The labels that a metric of this form has. */
export type LabelsOf<Form extends MetricDefinition> = Readonly<Record<Form['labels'][number], string>>;

/** Upper bounds for the time of a question to another machine, in seconds. */
export const questionSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
