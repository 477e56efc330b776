import type { Address } from 'viem';
import type { ChainClient } from '../../node/chain-client.ts';
import type { ChainEvent } from '../../node/chain-event.ts';
import { readCustomerBalance } from '../../node/customer-balances.ts';
import { ifStateIsThere } from '../../node/if-state-is-there.ts';
import type { WatchedContract } from '../../node/watched-contract.ts';
import type { Store } from '../../store/store.ts';

/** Wallets looked at in one stretch: all of them in all but exceptional contracts. */
const maxWallets = 200;

/** A stretch of one contract's events, with the blocks that it begins and ends with. */
type Told = {
  readonly chainId: number;
  readonly contract: WatchedContract;
  readonly events: readonly ChainEvent[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
};

/**
 * Looks for customers whose balance inside the contract fell by more than its events tell. (That it rose by more is nothing
 * that was left out: its owner can add to a balance without an event.) Undefined where there is none, and where the contract
 * keeps no balances, nothing happened, or the node no longer has the state before the stretch.
 */
export async function findMissingCharge(
  store: Store,
  node: ChainClient,
  told: Told,
): Promise<{ readonly wallet: Address; readonly missing: bigint } | undefined> {
  const { contract, events, fromBlock, toBlock } = told;
  if (contract.customers === undefined || events.length === 0) return undefined;
  const { balanceData } = contract.customers;
  const balanceAt = (wallet: Address, block: bigint) =>
    block < 0n ? 0n : readCustomerBalance(node, contract.address, balanceData(wallet), block);
  for (const wallet of await findWallets(store, told)) {
    const read = Promise.all([balanceAt(wallet, fromBlock - 1n), balanceAt(wallet, toBlock)]);
    const balances = await ifStateIsThere(read);
    if (balances === undefined) return undefined;
    const [before, after] = balances;
    const missing = before + changeOf(wallet, events) - after;
    if (missing > 0n) return { wallet, missing };
  }
  return undefined;
}

async function findWallets(store: Store, { chainId, contract, events }: Told): Promise<ReadonlySet<Address>> {
  const touched = events.flatMap((event) => ('wallet' in event ? [event.wallet] : chargedIn(event)));
  const rows = await store.db
    .selectFrom('tanks')
    .select('wallet')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract.address)
    .orderBy('tank_id', 'desc')
    .limit(maxWallets)
    .execute();
  // Only checksummed addresses are ever written there.
  return new Set([...touched, ...rows.map(({ wallet }) => wallet as Address)]);
}

function chargedIn(event: ChainEvent): readonly Address[] {
  return event.kind === 'user-operation' && event.charge !== undefined ? [event.charge.wallet] : [];
}

function changeOf(wallet: Address, events: readonly ChainEvent[]): bigint {
  return events.reduce((change, event) => {
    if (event.kind === 'customer-deposit' && event.wallet === wallet) return change + event.amount;
    if (event.kind === 'customer-withdrawal' && event.wallet === wallet) return change - event.amount;
    if (event.kind === 'user-operation' && event.charge?.wallet === wallet) return change - event.charge.amount;
    return change;
  }, 0n);
}
