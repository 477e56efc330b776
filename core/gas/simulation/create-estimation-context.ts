import type { ChainConfig } from '../../domain/core-config.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { createEntryPointCode } from './entry-point-code.ts';
import type { EstimationContext } from './estimation-context.ts';

/** What the simulations of a chain are run with: in a transaction of the first bundler where some are named. */
export function createEstimationContext(
  client: ChainClient,
  { chainId, bundlers }: Pick<ChainConfig, 'chainId' | 'bundlers'>,
): EstimationContext {
  return { client, chainId, entryPointCode: createEntryPointCode(client), ...omitAbsent({ origin: bundlers?.[0] }) };
}
