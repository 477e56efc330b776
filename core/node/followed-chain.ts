import { counted } from '@tollfree/contract/counted';
import type { AbiEvent, Address } from 'viem';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import type { CustomerFunding, PaymasterContractRuntime } from '../evm/paymaster-contracts/family/family.ts';
import type { ChainClient } from './chain-client.ts';
import type { CustomerBalances } from './customer-balances.ts';
import type { FeeView } from './read-fees.ts';
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

export type Watched = { readonly entryPoint: Address; readonly contracts: readonly WatchedContract[] };

/** Default for the largest difference between our clock and the newest block, in seconds. */
const defaultMaxClockDifference = 300;

/**
 * Why nothing may be signed given these two clocks, in words; Unix seconds. Either ours is wrong, and with it the expiry of
 * every signature, or the chain has stopped.
 */
export function clockFault(
  now: number,
  headTime: number,
  maxDifference: number = defaultMaxClockDifference,
): string | undefined {
  const difference = now - headTime;
  if (Math.abs(difference) <= maxDifference) return undefined;
  const way = difference > 0 ? 'older' : 'newer';
  return `the newest block is ${counted(Math.abs(difference), 'second')} ${way} than this machine's clock`;
}

/** Whether a chain's newest block is as new as our clock says that it should be; false while none is known. */
export function agreesOnTime({ watcher, config }: Pick<FollowedChain, 'watcher' | 'config'>, clock: Clock): boolean {
  const headTime = watcher.view()?.headTime;
  return (
    headTime !== undefined && clockFault(unixSeconds(clock), headTime, config.maxClockDifferenceSeconds) === undefined
  );
}

/** The watcher's latest readings. Amounts in wei, times in Unix seconds. */
export type ChainView = {
  readonly headTime: number;
  readonly deposits: ReadonlyMap<Address, bigint>;
  /** Balances of the relay wallets, in wei. */
  readonly executors?: ReadonlyMap<Address, bigint>;
  /** Current gas prices; absent when the node does not report them, or has not for too long. */
  readonly fees?: FeeView;
};

/** Keeps the ledger in step with one chain and knows its head and the contracts' deposits. */
export type ChainWatcher = {
  /** The latest readings, or undefined if they are too old. */
  view(): ChainView | undefined;
  /** Why nothing may be signed for a paymaster contract, in words: its ledger is not in step with the chain. */
  faultOf(contract: Address): string | undefined;
  /** Why this chain is not ready, in words; undefined if it is. */
  fault(): string | undefined;
  /** Resolves when the ledger includes everything that was confirmed on the chain at the time of the call. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};
