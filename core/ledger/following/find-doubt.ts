import type { Address } from 'viem';
import type { ChainClient } from '../../node/chain-client.ts';
import type { ChainEvent } from '../../node/chain-event.ts';
import { readCustomerBalance } from '../../node/customer-balances.ts';
import type { WatchedContract } from '../../node/followed-chain.ts';
import { ifStateIsThere } from '../../node/node-error.ts';
import type { Store } from '../../store/store.ts';

/** Wallets checked in one stretch: all of them except in unusual contracts. */
const maxWallets = 200;

/** A stretch of one contract's events, with the blocks that it begins and ends with. */
type Reported = {
  readonly chainId: number;
  readonly contract: WatchedContract;
  readonly events: readonly ChainEvent[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
};

/**
 * Why the events of a stretch should not be trusted, to be read by people. `certain`: something is missing. `possible`: the
 * contract may also have done something for which there is no event.
 */
export type Doubt = { readonly kind: 'certain' | 'possible'; readonly what: string };

/**
 * Checks whether the events of a contract that keeps balances of its customers add up to these balances. If a balance fell
 * by more than the events say, an event is certainly missing. If one rose by more, its owner may have done it, for which
 * there is no event; and a deposit made through the contract may belong to no customer. Undefined without a doubt, and also
 * if nothing happened or the node no longer has the state before the stretch.
 */
export async function findDoubt(store: Store, node: ChainClient, reported: Reported): Promise<Doubt | undefined> {
  const { contract, events, fromBlock, toBlock } = reported;
  if (contract.customers === undefined || events.length === 0) return undefined;
  const { balanceData } = contract.customers;
  const balanceAt = (wallet: Address, block: bigint) =>
    block < 0n ? 0n : readCustomerBalance(node, contract.address, balanceData(wallet), block);
  let possible = findLoneDeposit(contract.address, events);
  for (const wallet of await findWallets(store, reported)) {
    const read = Promise.all([balanceAt(wallet, fromBlock - 1n), balanceAt(wallet, toBlock)]);
    const balances = await ifStateIsThere(read);
    if (balances === undefined) return undefined;
    const [before, after] = balances;
    const expected = before + changeOf(wallet, events);
    const what = `the balance of ${wallet} is ${after} wei but the events add up to ${expected} wei`;
    if (after < expected) return { kind: 'certain', what };
    if (after > expected) possible = { kind: 'possible', what };
  }
  return possible;
}

/** A deposit that someone made through the contract, without a customer's event for it. */
function findLoneDeposit(contract: Address, events: readonly ChainEvent[]): Doubt | undefined {
  const reported = new Set(events.filter(({ kind }) => kind === 'customer-deposit').map(({ txHash }) => txHash));
  const lone = events.find(
    (event) => event.kind === 'deposit' && event.called === contract && !reported.has(event.txHash),
  );
  return lone === undefined
    ? undefined
    : { kind: 'possible', what: `the deposit of transaction ${lone.txHash} was reported without its customer` };
}

async function findWallets(store: Store, { chainId, contract, events }: Reported): Promise<ReadonlySet<Address>> {
  const touched = events.flatMap((event) => ('wallet' in event ? [event.wallet] : chargedIn(event)));
  const rows = await store.db
    .selectFrom('tanks')
    .select('wallet')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract.address)
    .orderBy('tank_id', 'desc')
    .limit(maxWallets)
    .execute();
  // Only checksummed addresses are ever stored there.
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
