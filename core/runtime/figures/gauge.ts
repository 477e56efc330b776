import type { Figure } from '../../domain/figures/figure.ts';
import type { FigureForm, LabelsOf } from '../../domain/figures/figure-form.ts';

/** A level as it is now, for each set of labels. */
export function gauge<const Form extends FigureForm>(
  { name, kind, help }: Form,
  levels: readonly { readonly labels: LabelsOf<Form>; readonly value: number }[],
): Figure {
  return { name, kind, help, samples: levels.map((level) => ({ ...level, suffix: '' })) };
}
