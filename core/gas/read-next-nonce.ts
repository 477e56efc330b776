import type { Address } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import { entryPoint07Abi } from '../evm/entry-point/entry-point-abi.ts';
import { nonceSequenceBits } from '../evm/entry-point/nonce-sequence-bits.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { explainNodeError } from '../node/node-error.ts';

/** The account's next nonce for the key of the operation's own one (`EntryPoint.getNonce`). */
export async function readNextNonce(
  client: ChainClient,
  entryPoint: Address,
  { sender, nonce }: UserOperation,
): Promise<Result<bigint>> {
  try {
    const args = [sender, nonce >> BigInt(nonceSequenceBits)] as const;
    return accept(
      await client.readContract({ address: entryPoint, abi: entryPoint07Abi, functionName: 'getNonce', args }),
    );
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}
