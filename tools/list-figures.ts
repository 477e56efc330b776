import { coreFigures } from '../core/base/metrics/core-metrics.ts';
import type { FigureForm } from '../core/base/metrics/metric-definition.ts';
import { gatewayFigures } from '../gateway/gateway-metrics.ts';
import { processFigures } from '../server/process/process-metrics.ts';

/** Everything that stands on a page of metrics, in the order of the documentation. */
export const listedFigures: readonly FigureForm[] = [
  ...Object.values(coreFigures),
  ...Object.values(gatewayFigures),
  ...Object.values(processFigures),
];
