import type { LabelsOf, Metric, MetricDefinition } from '../../base/metrics/metric.ts';

/** The current level, for each set of labels. */
export function gauge<const Form extends MetricDefinition>(
  { name, kind, help }: Form,
  levels: readonly { readonly labels: LabelsOf<Form>; readonly value: number }[],
): Metric {
  return { name, kind, help, samples: levels.map((level) => ({ ...level, suffix: '' })) };
}
