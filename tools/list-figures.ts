import { coreFigures } from '../core/domain/figures/core-figures.ts';
import type { FigureForm } from '../core/domain/figures/figure-form.ts';
import { gatewayFigures } from '../gateway/gateway-figures.ts';
import { processFigures } from '../server/process/process-figures.ts';

/** Everything that stands on a page of metrics, in the order of the documentation. */
export const listedFigures: readonly FigureForm[] = [
  ...Object.values(coreFigures),
  ...Object.values(gatewayFigures),
  ...Object.values(processFigures),
];
