import type { Metric } from '../core/base/metrics/metric-registry.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { Core } from '../core/domain/core.ts';
import type { LedgerState } from '../core/domain/ledger-report.ts';

/** How long an answer is cached, in milliseconds: each one asks the chain about every contract. */
const validity = 15_000;
/** How long the other metrics wait for it, in milliseconds. */
const maxWait = 3_000;

/**
 * The stored sums compared with the chain, at most 15 seconds old; undefined when they cannot be read now. Never rejects.
 */
export type LedgerReader = () => Promise<readonly LedgerState[] | undefined>;

export function createLedgerReader(core: Pick<Core, 'readLedgerStates'>, clock: Clock): LedgerReader {
  let last: { readonly at: number; readonly answer: ReturnType<LedgerReader> } | undefined;

  async function ask(): ReturnType<LedgerReader> {
    const result = await core.readLedgerStates().catch(() => undefined);
    return result?.ok ? result.value : undefined;
  }

  return async () => {
    if (last === undefined || clock.now() - last.at >= validity) last = { at: clock.now(), answer: ask() };
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), maxWait);
    });
    return Promise.race([last.answer, tooLate]).finally(() => clearTimeout(timer));
  };
}

/** The core's metrics; undefined when they are unavailable now. Never rejects. */
export type MetricReader = () => Promise<readonly Metric[] | undefined>;

export function createMetricReader(core: Pick<Core, 'readMetrics'>): MetricReader {
  let underWay: ReturnType<MetricReader> | undefined;

  async function ask(): ReturnType<MetricReader> {
    const result = await core.readMetrics().catch(() => undefined);
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
