import { type Address, BaseError } from 'viem';
import { entryPoint07Abi, nonceSequenceBits } from '../../evm/entry-point/entry-point-abi.ts';
import type { ChainClient } from '../../node/chain-client.ts';

/** An account's nonce at an EntryPoint. */
type UsedNonce = { readonly entryPoint: Address; readonly sender: Address; readonly nonce: bigint };

/**
 * Whether an account had used up a nonce by the end of a block: the EntryPoint never accepts an operation with it again.
 *
 * @throws BaseError when the node does not answer, or answers for another nonce key.
 */
export async function hasMovedOn(
  client: ChainClient,
  { entryPoint: address, sender, nonce }: UsedNonce,
  blockNumber: bigint,
): Promise<boolean> {
  const key = nonce >> BigInt(nonceSequenceBits);
  const next = await client.readContract({
    address,
    abi: entryPoint07Abi,
    functionName: 'getNonce',
    args: [sender, key],
    blockNumber,
  });
  if (next >> BigInt(nonceSequenceBits) !== key) throw new BaseError('The node returned a nonce of another key.');
  return next > nonce;
}

/**
 * The same according to all nodes that answer, of which there has to be one: trusting a single wrong one would let wei be
 * spent twice.
 */
export async function hasMovedOnByAll(
  nodes: readonly ChainClient[],
  used: UsedNonce,
  blockNumber: bigint,
): Promise<boolean> {
  const reported = await Promise.allSettled(nodes.map((node) => hasMovedOn(node, used, blockNumber)));
  const [first] = reported.filter((one) => one.status === 'rejected');
  if (first !== undefined && reported.every(({ status }) => status === 'rejected')) throw first.reason;
  return reported.every((one) => one.status === 'rejected' || one.value);
}
