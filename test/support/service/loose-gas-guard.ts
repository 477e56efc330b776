import type { CoreConfig } from '../../../core/domain/core-config.ts';

/**
 * A configuration that signs nearly any gas limits it is given, and operations whose calls revert: for tests that give
 * all their operations the same limits, or want to see what a failed one costs.
 */
export function looseGasGuard(config: CoreConfig): CoreConfig {
  const chains = config.chains.map((chain) => ({
    ...chain,
    maxGasOverEstimate: 1_000_000,
    maxPreVerificationGasOverEstimate: 1_000_000,
    allowRevertingOperations: true,
  }));
  return { ...config, chains };
}
