import type { ChainConfig } from '../../domain/core-config.ts';
import { accept } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { readArbitrumDataFee } from './arbitrum-data-fee.ts';
import { type DataFeeReader, noDataFee } from './data-fee.ts';
import { opStackDataFee } from './op-stack-data-fee.ts';

/** Reads data fees in the way that the chain's configuration names; without one there are none. */
export function createDataFeeReader(options: { client: ChainClient; config: ChainConfig }): DataFeeReader {
  const { client, config } = options;
  switch (config.dataFee) {
    case 'op-stack':
      return opStackDataFee(client, config.chainId);
    case 'arbitrum':
      return { ask: (simulated) => readArbitrumDataFee(client, simulated) };
    default:
      return { ask: async () => accept(noDataFee) };
  }
}
