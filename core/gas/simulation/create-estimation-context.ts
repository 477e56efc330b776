import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ChainConfig } from '../../domain/core-config.ts';
import type { ChainClient } from '../../node/chain-client.ts';

import type { EstimationContext } from './estimation-context.ts';
import { createFindSimulationCode } from './simulation-code.ts';

/** What the simulations of a chain are run with: in a transaction of the first bundler where some are named. */
export function createEstimationContext(
  client: ChainClient,
  { chainId, bundlers, confirmations }: Pick<ChainConfig, 'chainId' | 'bundlers' | 'confirmations'>,
): EstimationContext {
  const findCode = createFindSimulationCode(client, confirmations);
  return { client, chainId, findCode, ...omitAbsent({ origin: bundlers?.[0] }) };
}
