import type { Address } from 'viem';
import type { ChainConfig } from '../domain/core-config.ts';
import type { PaymasterContract, PaymasterContractFamily } from '../evm/paymaster-contracts/family/family.ts';
import type { Signer } from '../evm/signer/signer.ts';
import type { GasEstimator } from '../gas/estimator.ts';
import type { GasGuard } from '../gas/gas-guard.ts';
import type { ChainClient } from '../node/chain-client.ts';
import type { CustomerBalances } from '../node/customer-balances.ts';
import type { TokenRates } from '../quotes/token-rates.ts';
import type { ChainWatcher } from './chain-watcher.ts';

/** A configured paymaster contract: its family, its place on chain, who receives its tokens, its markup in millionths. */
export type PaymasterContractRuntime = {
  readonly version: string;
  readonly family: PaymasterContractFamily;
  readonly place: PaymasterContract;
  readonly treasury: Address;
  readonly priceMarkup: number;
  /** Added to a token's own premium in token mode, in basis points. */
  readonly premiumBasisPoints: number;
  /** Why nothing is signed for it, in a sentence: it is not what the configuration says. */
  readonly fault?: string;
};

/** What the service works with on one chain. */
export type ChainRuntime = {
  readonly config: ChainConfig;
  readonly client: ChainClient;
  readonly watcher: ChainWatcher;
  readonly customerBalances: CustomerBalances;
  readonly rates: TokenRates;
  readonly estimator: GasEstimator;
  readonly gasGuard: GasGuard;
  readonly signer: Signer;
  /** By paymaster `version`. */
  readonly contracts: ReadonlyMap<string, PaymasterContractRuntime>;
};
