import type { Figure } from '../../base/metrics/metric.ts';
import type { FigureForm, LabelsOf } from '../../base/metrics/metric-definition.ts';

/** A level as it is now, for each set of labels. */
export function gauge<const Form extends FigureForm>(
  { name, kind, help }: Form,
  levels: readonly { readonly labels: LabelsOf<Form>; readonly value: number }[],
): Figure {
  return { name, kind, help, samples: levels.map((level) => ({ ...level, suffix: '' })) };
}
