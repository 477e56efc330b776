import type { Metric } from '../core/base/metrics/metric-registry.ts';
import type { Core } from '../core/domain/core.ts';

/** How long the other metrics wait for the core's, in milliseconds. */
const maxWait = 3_000;

/** The core's metrics; undefined when they are unavailable now. Never rejects. */
export type MetricReader = () => Promise<readonly Metric[] | undefined>;

export function createMetricReader(core: Pick<Core, 'readFigures'>): MetricReader {
  let underWay: ReturnType<MetricReader> | undefined;

  async function ask(): ReturnType<MetricReader> {
    const result = await core.readFigures().catch(() => undefined);
    return result?.ok ? result.value : undefined;
  }

  return async () => {
    underWay ??= ask().finally(() => {
      underWay = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), maxWait);
    });
    return Promise.race([underWay, tooLate]).finally(() => clearTimeout(timer));
  };
}
