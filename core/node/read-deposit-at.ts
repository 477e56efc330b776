import { type Address, encodeFunctionData } from 'viem';
import { omitAbsent } from '../base/values/omit-absent.ts';
import type { ChainClient } from './chain-client.ts';
import { depositAbi } from './entry-point-events.ts';

/**
 * The contract's deposit at an EntryPoint as of a block, or of the newest one, in wei. 0 where no EntryPoint was yet. Rejects
 * when the node does not answer, or has no longer the state of that block.
 */
export async function readDepositAt(
  client: ChainClient,
  { entryPoint, contract }: { readonly entryPoint: Address; readonly contract: Address },
  blockNumber?: bigint,
): Promise<bigint> {
  const data = encodeFunctionData({ abi: depositAbi, functionName: 'balanceOf', args: [contract] });
  const answer = await client.call({ to: entryPoint, data, ...omitAbsent({ blockNumber }) });
  return answer.data === undefined || answer.data === '0x' ? 0n : BigInt(answer.data);
}
