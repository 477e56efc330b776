import type { AbiEvent, Address } from 'viem';
import type { ChainConfig } from '../domain/core-config.ts';
import type { CustomerFunding, PaymasterContractRuntime } from '../evm/paymaster-contracts/family/family.ts';
import type { ChainClient } from './chain-client.ts';
import type { ChainWatcher } from './chain-watcher.ts';
import type { CustomerBalances } from './customer-balances.ts';
import type { RelayBundler, WatchedRelay } from './relay/watched-relay.ts';
import type { ChainGuard } from './rpc/chain-guard.ts';

/** Takes the role of a paymaster contract for relayed operations, and names the bundler that receives them. */
export type ChainRelay = { readonly contract: PaymasterContractRuntime; readonly bundler: RelayBundler };

/** A chain whose blocks are followed, and the paymaster contracts on it. */
export type FollowedChain = {
  readonly config: ChainConfig;
  readonly client: ChainClient;
  /** Checks that each node is of this chain, in the order of `nodeUrls`. */
  readonly guards?: readonly ChainGuard[];
  readonly watcher: ChainWatcher;
  readonly customerBalances: CustomerBalances;
  /** By paymaster `version`. */
  readonly contracts: ReadonlyMap<string, PaymasterContractRuntime>;
  /** The relay for operations without a contract, if configured. */
  readonly relay?: ChainRelay;
};

/** The contracts that a chain's tanks pay through: its paymaster contracts, by version, and its relay. */
export function contractsOf({
  contracts,
  relay,
}: Pick<FollowedChain, 'contracts' | 'relay'>): readonly PaymasterContractRuntime[] {
  return [...contracts.values(), ...(relay === undefined ? [] : [relay.contract])];
}

/**
 * A paymaster contract to watch. `customers` is set if it keeps a balance per customer: then its own events fill and empty a
 * customer's tank, instead of the sender's deposits and the EntryPoint's charges.
 */
export type WatchedContract = {
  readonly address: Address;
  readonly customers?: CustomerFunding;
  readonly tokenPaymentEvents?: readonly AbiEvent[];
  /** For a relay, whose money is the balances of wallets. Its address is that of the EntryPoint. */
  readonly relay?: WatchedRelay;
};

/** An EntryPoint and the paymaster contracts to watch at it. */
export type Watched = { readonly entryPoint: Address; readonly contracts: readonly WatchedContract[] };
