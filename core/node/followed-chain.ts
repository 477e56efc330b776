import type { AbiEvent, Address } from 'viem';
import type { ChainConfig } from '../domain/core-config.ts';
import type { CustomerFunding } from '../evm/paymaster-contracts/family/family.ts';
import type { PaymasterContractRuntime } from '../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { ChainClient } from './chain-client.ts';
import type { ChainWatcher } from './chain-watcher.ts';
import type { CustomerBalances } from './customer-balances.ts';
import type { RelayBundler } from './relay/relay-bundler.ts';
import type { WatchedRelay } from './relay/watched-relay.ts';
import type { ChainGuard } from './rpc/chain-guard.ts';

/** Stands instead of a paymaster contract for relayed operations, and the bundler that gets them. */
export type ChainRelay = { readonly contract: PaymasterContractRuntime; readonly bundler: RelayBundler };

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
  /** What is relayed without a contract, where that is configured. */
  readonly relay?: ChainRelay;
};

/** What a chain's tanks pay through: its paymaster contracts, by each version that names one, and its relay. */
export function contractsOf({
  contracts,
  relay,
}: Pick<FollowedChain, 'contracts' | 'relay'>): readonly PaymasterContractRuntime[] {
  return [...contracts.values(), ...(relay === undefined ? [] : [relay.contract])];
}

/**
 * A paymaster contract to watch. `customers` is there where it keeps a balance for each: then its own events fill a
 * customer's tank and empty it, not who sent the coin and what the EntryPoint took.
 */
export type WatchedContract = {
  readonly address: Address;
  readonly customers?: CustomerFunding;
  readonly tokenPaymentEvents?: readonly AbiEvent[];
  /** Of a relay, whose money is the balances of wallets. Its address is that of the EntryPoint. */
  readonly relay?: WatchedRelay;
};

/** An EntryPoint and the paymaster contracts to watch at it. */
export type Watched = { readonly entryPoint: Address; readonly contracts: readonly WatchedContract[] };
