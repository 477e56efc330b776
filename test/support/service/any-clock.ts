import type { CoreConfig } from '../../../core/domain/core-config.ts';

/** Signs however much the service's clock and the chain's differ: for tests that set one of them ahead. */
export function anyClock(config: CoreConfig): CoreConfig {
  const maxClockDifferenceSeconds = Number.MAX_SAFE_INTEGER;
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, maxClockDifferenceSeconds })) };
}

/**
 * A configuration that signs any gas price below its ceilings: for tests whose operations all cost the same, whatever the
 * chain asks for gas at the time.
 */
export function anyGasPrice(config: CoreConfig): CoreConfig {
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, gasPrice: 'none' })) };
}

/**
 * A configuration that signs nearly any gas limits it is given, and operations whose calls revert: for tests that give
 * all their operations the same limits, or want to see what a failed one costs.
 */
export function looseGivenLimitsCheck(config: CoreConfig): CoreConfig {
  const chains = config.chains.map((chain) => ({
    ...chain,
    maxGasOverEstimate: 1_000_000,
    maxPreVerificationGasOverEstimate: 1_000_000,
    allowRevertingOperations: true,
  }));
  return { ...config, chains };
}
