import type { AbiEvent, Address } from 'viem';
import type { CustomerFunding } from '../evm/paymaster-contracts/family/family.ts';
import type { WatchedRelay } from './relay/watched-relay.ts';

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
