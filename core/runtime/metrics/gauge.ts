import type { LabelsOf, Metric, MetricDefinition } from '../../base/metrics/metric-registry.ts';

type Level<Form extends MetricDefinition> = { readonly labels: LabelsOf<Form>; readonly value: number };

/** The current level, for each set of labels. An item can have several levels, or none. */
export function gauge<const Form extends MetricDefinition, Item>(
  { name, kind, help }: Form,
  items: readonly Item[],
  levelOf: (item: Item) => Level<Form> | readonly Level<Form>[],
): Metric {
  return { name, kind, help, samples: items.flatMap(levelOf).map((level) => ({ ...level, suffix: '' })) };
}
