import type { ChainConfig } from '../domain/core-config.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createBundlerEstimator } from './create-bundler-estimator.ts';
import { createNodeEstimator } from './create-node-estimator.ts';
import type { GasEstimator } from './estimator.ts';
import { createDataFeeReader } from './fees/create-data-fee-reader.ts';
import { createEstimationContext } from './simulation/create-estimation-context.ts';

/**
 * Estimates with the chain's bundler where one is configured, else with its nodes alone. Bundlers do not estimate what
 * reverts, so an operation that may is always estimated with the nodes.
 */
export function createGasEstimator(options: { client: ChainClient; config: ChainConfig }): GasEstimator {
  const { bundlerUrl, callTimeoutMs, allowRevertingOperations, eip7702Marker = 'as-sent' } = options.config;
  const own = createOwnEstimator(options);
  if (bundlerUrl === undefined) return own;
  const bundler = createBundlerEstimator({ bundlerUrl, timeoutMs: callTimeoutMs, eip7702Marker });
  return {
    estimate: (request) =>
      allowRevertingOperations === true || request.mayRevert === true
        ? own.estimate(request)
        : bundler.estimate(request),
  };
}

function createOwnEstimator(options: { client: ChainClient; config: ChainConfig }): GasEstimator {
  const { client, config } = options;
  const context = createEstimationContext(client, config);
  return createNodeEstimator(context, {
    dataFee: createDataFeeReader(options),
    revertingOperations: config.allowRevertingOperations === true ? 'allowed' : 'refused',
  });
}
