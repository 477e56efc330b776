import type { Address } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import { entryPoint07Abi } from '../evm/entry-point/entry-point-abi.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { explainNodeError } from '../node/node-error.ts';

/** Bits of a nonce that count; the others are its key (ERC-4337, semi-abstracted nonces). */
const sequenceBits = 64n;

/** The account's next nonce for the key of the operation's own one (`EntryPoint.getNonce`). */
export async function readNextNonce(
  client: ChainClient,
  entryPoint: Address,
  { sender, nonce }: UserOperation,
): Promise<Result<bigint>> {
  try {
    const args = [sender, nonce >> sequenceBits] as const;
    return accept(
      await client.readContract({ address: entryPoint, abi: entryPoint07Abi, functionName: 'getNonce', args }),
    );
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}
