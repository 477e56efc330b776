import type { CoreConfig } from '../../../core/domain/core-config.ts';

/**
 * A configuration that signs any gas price below its ceilings: for tests whose operations all cost the same, whatever the
 * chain asks for gas at the time.
 */
export function anyGasPrice(config: CoreConfig): CoreConfig {
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, gasPrice: 'none' })) };
}
