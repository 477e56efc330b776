import type { ChainConfig } from '../domain/core-config.ts';
import type { PaymasterContractRuntime } from '../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { ChainClient } from './chain-client.ts';
import type { ChainWatcher } from './chain-watcher.ts';
import type { CustomerBalances } from './customer-balances.ts';
import type { ChainGuard } from './rpc/chain-guard.ts';

/** A chain whose blocks are followed, and the paymaster contracts on it. */
export type FollowedChain = {
  readonly config: ChainConfig;
  readonly client: ChainClient;
  /** Of each node, in the order of `nodeUrls`, whether it is of this chain. */
  readonly guards?: readonly ChainGuard[];
  readonly watcher: ChainWatcher;
  readonly customerBalances: CustomerBalances;
  /** By paymaster `version`. */
  readonly contracts: ReadonlyMap<string, PaymasterContractRuntime>;
};
