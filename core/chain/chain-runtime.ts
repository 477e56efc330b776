import type { Address } from 'viem';
import type { ChainConfig } from '../core-config.ts';
import type { GasEstimator } from '../gas/estimator.ts';
import type { PaymasterContract, PaymasterContractFamily } from '../paymaster-contracts/family.ts';
import type { TokenRates } from '../quotes/token-rates.ts';
import type { Signer } from '../signer/signer.ts';
import type { ChainClient } from './chain-client.ts';
import type { ChainWatcher } from './chain-watcher.ts';

/** A configured paymaster contract: its family, its place on chain, who receives its tokens. */
export type PaymasterContractRuntime = {
  readonly version: string;
  readonly family: PaymasterContractFamily;
  readonly place: PaymasterContract;
  readonly treasury: Address;
};

/** What the service works with on one chain. */
export type ChainRuntime = {
  readonly config: ChainConfig;
  readonly client: ChainClient;
  readonly watcher: ChainWatcher;
  readonly rates: TokenRates;
  readonly estimator: GasEstimator;
  readonly signer: Signer;
  /** By paymaster `version`. */
  readonly contracts: ReadonlyMap<string, PaymasterContractRuntime>;
};
