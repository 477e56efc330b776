import { type Address, decodeErrorResult, encodeFunctionData, type Hex, isHex, parseAbi } from 'viem';
import type { ChainClient } from '../chain-client.ts';
import { readRpcAnswer } from '../rpc-answer.ts';

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
    const reverted = readRpcAnswer(error)?.data;
    if (!isHex(reverted)) throw error;
    return senderIn(reverted);
  }
}

function senderIn(reverted: Hex): Address | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: entryPointAbi, data: reverted });
    return errorName === 'SenderAddressResult' ? args[0] : undefined;
  } catch {
    return undefined;
  }
}
