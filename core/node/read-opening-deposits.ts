import { encodeFunctionData, zeroHash } from 'viem';
import type { ChainClient } from './chain-client.ts';
import type { DepositEvent } from './chain-event.ts';
import { depositAbi } from './entry-point-events.ts';
import { ifStateIsThere } from './if-state-is-there.ts';
import type { Watched } from './watched-contract.ts';

/**
 * What the contracts had deposited before the first block that is watched, as deposits of no wallet: the journal of a
 * contract is the whole of its deposit. Empty where the node no longer has that state; the next deposit tells it then.
 */
export async function readOpeningDeposits(
  client: ChainClient,
  { entryPoint, contracts }: Watched,
  startBlock: bigint,
): Promise<readonly DepositEvent[]> {
  if (startBlock === 0n) return [];
  const blockNumber = startBlock - 1n;
  const openings: DepositEvent[] = [];
  for (const { address: contract } of contracts) {
    const call = client.call({
      to: entryPoint,
      data: encodeFunctionData({ abi: depositAbi, functionName: 'balanceOf', args: [contract] }),
      blockNumber,
    });
    const answer = await ifStateIsThere(call);
    // Nothing comes back from an EntryPoint that was not there yet.
    const deposit = answer?.data === undefined || answer.data === '0x' ? 0n : BigInt(answer.data);
    if (deposit === 0n) continue;
    const place = { blockNumber, txHash: zeroHash, logIndex: 0 };
    openings.push({ kind: 'deposit', contract, totalDeposit: deposit, rise: deposit, ...place });
  }
  return openings;
}
