import type { ChainClient } from '../chain/chain-client.ts';
import type { ChainConfig } from '../core-config.ts';
import { createBundlerEstimator } from './create-bundler-estimator.ts';
import { createDataFeeReader } from './create-data-fee-reader.ts';
import { createNodeEstimator } from './create-node-estimator.ts';
import { createEntryPointCode } from './entry-point-code.ts';
import type { GasEstimator } from './estimator.ts';

/** Estimates with the chain's bundler where one is configured, else with its nodes alone. */
export function createGasEstimator(options: { client: ChainClient; config: ChainConfig }): GasEstimator {
  const { client, config } = options;
  if (config.bundlerUrl !== undefined) {
    return createBundlerEstimator({ bundlerUrl: config.bundlerUrl, timeoutMs: config.callTimeoutMs });
  }
  const context = { client, chainId: config.chainId, entryPointCode: createEntryPointCode(client) };
  return createNodeEstimator(context, {
    dataFee: createDataFeeReader(options),
    revertingOperations: config.allowRevertingOperations === true ? 'allowed' : 'refused',
  });
}
