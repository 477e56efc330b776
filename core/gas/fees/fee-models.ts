import { type FeeModelName, feeModelOf } from '../../domain/chain-config.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { arbitrumDataFee } from './arbitrum-data-fee.ts';
import type { DataFeeReader } from './data-fee.ts';
import { lineaDataFee } from './linea-data-fee.ts';
import { mantleOracle, opStackOracle } from './op-stack-data-fee.ts';
import { oracleDataFee, scrollOracle } from './oracle-data-fee.ts';

/** How a chain charges a bundle beyond the gas it uses. */
export type FeeModel = {
  /** Absent where data only costs gas. */
  readonly dataFee?: (client: ChainClient, chainId: number) => DataFeeReader;
  /** The chain charges the transaction's gas limit, not the gas used. */
  readonly chargesGasLimit?: true;
  /** Gas that the EntryPoint burns outside all limits, beyond the amount at Ethereum's prices. None when absent. */
  readonly extraOverhead?: bigint;
};

export const feeModels: Readonly<Record<FeeModelName, FeeModel>> = {
  none: {},
  'op-stack': { dataFee: (client, chainId) => oracleDataFee(client, opStackOracle(chainId)) },
  arbitrum: { dataFee: arbitrumDataFee },
  scroll: { dataFee: (client, chainId) => oracleDataFee(client, scrollOracle(chainId)) },
  mantle: { dataFee: (client, chainId) => oracleDataFee(client, mantleOracle(chainId)) },
  linea: { dataFee: lineaDataFee },
  // Monad charges 10,100 gas instead of 2,600 for the first access to an account; the beneficiary's is outside the
  // limits.
  monad: { chargesGasLimit: true, extraOverhead: 7_500n },
};

/** The fee model of a chain, and the reader of its data fee if it has one. */
export type ChainFees = { readonly model: FeeModel; readonly dataFee: DataFeeReader | undefined };

export function createChainFees({ client, config }: { client: ChainClient; config: ChainConfig }): ChainFees {
  const model = feeModels[feeModelOf(config)];
  return { model, dataFee: model.dataFee?.(client, config.chainId) };
}
