import type { CoreConfig } from '../../../core/domain/core-config.ts';

/** Signs however much the service's clock and the chain's differ: for tests that set one of them ahead. */
export function anyClock(config: CoreConfig): CoreConfig {
  const maxClockDifferenceSeconds = Number.MAX_SAFE_INTEGER;
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, maxClockDifferenceSeconds })) };
}
