import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, encodeFunctionData } from 'viem';
import type { ChainClient } from './chain-client.ts';
import { depositAbi } from './entry-point-events.ts';

/** Where sponsoring money is kept: a paymaster contract, or the relay wallets. */
type DepositPlace = {
  readonly entryPoint: Address;
  readonly contract: Address;
  /** For a relay: the wallets whose coin is its deposit. */
  readonly executors?: readonly Address[] | undefined;
};

/**
 * The spendable wei at a block, or at the newest one: the contract's deposit at an EntryPoint, 0 before the EntryPoint
 * existed; for a relay the sum of its executors' balances. Rejects when the node does not answer, or no longer has the state
 * of that block.
 */
export async function readDepositAt(
  client: ChainClient,
  { entryPoint, contract, executors }: DepositPlace,
  blockNumber?: bigint,
): Promise<bigint> {
  if (executors !== undefined) return sumOf(await readBalances(client, executors, blockNumber));
  const data = encodeFunctionData({ abi: depositAbi, functionName: 'balanceOf', args: [contract] });
  const answer = await client.call({ to: entryPoint, data, ...omitAbsent({ blockNumber }) });
  return answer.data === undefined || answer.data === '0x' ? 0n : BigInt(answer.data);
}

/** The balance of each wallet, in the given order. */
export function readBalances(
  client: ChainClient,
  executors: readonly Address[],
  blockNumber?: bigint,
): Promise<readonly bigint[]> {
  return Promise.all(
    executors.map((address) => client.getBalance(blockNumber === undefined ? { address } : { address, blockNumber })),
  );
}

export function sumOf(balances: readonly bigint[]): bigint {
  return balances.reduce((sum, balance) => sum + balance, 0n);
}
