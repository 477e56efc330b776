import { type Address, decodeErrorResult, encodeFunctionData, type Hex, isHex, parseAbi } from 'viem';
import type { ChainClient } from '../chain-client.ts';
import { readRpcAnswer } from '../rpc/rpc-answer.ts';

const entryPointAbi = parseAbi([
  'function getSenderAddress(bytes initCode)',
  'error SenderAddressResult(address sender)',
]);

/**
 * The account that the EntryPoint makes of `initCode` as things are: `getSenderAddress` makes it and answers by reverting.
 * Undefined when it makes none. Throws what the node's client throws when the node does not answer.
 */
export async function readCreatedSender(
  client: ChainClient,
  entryPoint: Address,
  initCode: Hex,
): Promise<Address | undefined> {
  const data = encodeFunctionData({ abi: entryPointAbi, functionName: 'getSenderAddress', args: [initCode] });
  try {
    await client.request({ method: 'eth_call', params: [{ to: entryPoint, data }, 'latest'] });
    return undefined;
  } catch (error) {
    const answer = readRpcAnswer(error);
    const reverted = revertIn(answer?.data);
    if (reverted !== undefined) return senderIn(reverted);
    // What the node says of a revert without its data is not a word about gas.
    throw answer === undefined ? error : new Error('The node does not report the revert data of getSenderAddress.');
  }
}

/** Revert data as nodes hand it on: bare, behind a word, or in an object. */
function revertIn(data: unknown): Hex | undefined {
  if (typeof data === 'object' && data !== null && 'data' in data) return revertIn(data.data);
  const [found] = typeof data === 'string' ? (/0x[0-9a-f]*$/i.exec(data) ?? []) : [];
  return isHex(found) ? found : undefined;
}

function senderIn(reverted: Hex): Address | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: entryPointAbi, data: reverted });
    return errorName === 'SenderAddressResult' ? args[0] : undefined;
  } catch {
    return undefined;
  }
}
