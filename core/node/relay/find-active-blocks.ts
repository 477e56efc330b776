import type { Address } from 'viem';
import type { ChainClient } from '../chain-client.ts';

/** A block that changed the executors: the sum of their balances in wei, and how many transactions each sent in it. */
export type ActiveBlock = {
  readonly blockNumber: bigint;
  readonly change: bigint;
  readonly sent: ReadonlyMap<Address, number>;
};

/** At the end of a block. Nonces in the order of the executors. */
type ExecutorState = { readonly balances: readonly bigint[]; readonly nonces: readonly number[] };

/**
 * Finds the blocks of a range in which the balance or nonce of an executor changed, by bisection: a range with equal state
 * at both ends has none, since a balance cannot fall without a nonce rising. Rejects when the node does not answer, or no
 * longer has the state of a block.
 */
export async function findActiveBlocks(
  client: ChainClient,
  executors: readonly Address[],
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<readonly ActiveBlock[]> {
  const known = new Map<bigint, Promise<ExecutorState>>();
  const stateAt = (block: bigint): Promise<ExecutorState> => {
    const state = known.get(block) ?? readState(client, executors, block);
    known.set(block, state);
    return state;
  };

  async function find(before: bigint, last: bigint): Promise<readonly ActiveBlock[]> {
    const [first, end] = await Promise.all([stateAt(before), stateAt(last)]);
    if (isSame(first, end)) return [];
    if (last - before === 1n) return [{ blockNumber: last, ...difference(executors, first, end) }];
    const middle = (before + last) / 2n;
    // One half after the other: a long range would ask for hundreds of states at once.
    const earlier = await find(before, middle);
    return [...earlier, ...(await find(middle, last))];
  }

  return find(fromBlock - 1n, toBlock);
}

async function readState(client: ChainClient, executors: readonly Address[], block: bigint): Promise<ExecutorState> {
  if (block < 0n) return { balances: executors.map(() => 0n), nonces: executors.map(() => 0) };
  const [balances, nonces] = await Promise.all([
    Promise.all(executors.map((address) => client.getBalance({ address, blockNumber: block }))),
    Promise.all(executors.map((address) => client.getTransactionCount({ address, blockNumber: block }))),
  ]);
  return { balances, nonces };
}

function isSame(one: ExecutorState, other: ExecutorState): boolean {
  return [...one.balances, ...one.nonces].every(
    (value, index) => value === [...other.balances, ...other.nonces][index],
  );
}

function difference(executors: readonly Address[], before: ExecutorState, after: ExecutorState) {
  const sum = ({ balances }: ExecutorState) => balances.reduce((total, balance) => total + balance, 0n);
  const sent = new Map(
    executors.map((address, index) => [address, (after.nonces[index] ?? 0) - (before.nonces[index] ?? 0)]),
  );
  return { change: sum(after) - sum(before), sent };
}
