import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { accept, type Result } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { encodeForPublishing } from '../simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';
import { addDataFeeMargin } from '../simulation/estimation-limits.ts';
import { askPredeploy } from './ask-predeploy.ts';
import type { DataFee } from './data-fee.ts';

/** Where the nodes of Arbitrum answer for the virtual contract `NodeInterface`. */
export const nodeInterface = '0x00000000000000000000000000000000000000C8';
export const nodeInterfaceAbi = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
]);

/** The gas that an Arbitrum chain adds for publishing the data of the bundler's transaction on its parent chain. */
export async function readArbitrumDataFee(
  client: ChainClient,
  simulated: SimulatedOperation,
): Promise<Result<DataFee>> {
  const abi = nodeInterfaceAbi;
  const answer = await askPredeploy(client, {
    to: nodeInterface,
    data: encodeFunctionData({ abi, args: [simulated.entryPoint, false, encodeForPublishing(simulated)] }),
    name: 'NodeInterface of Arbitrum',
    decode: (data) => decodeFunctionResult({ abi, data })[0],
  });
  return answer.ok ? accept({ kind: 'gas', gas: addDataFeeMargin(answer.value.value) }) : answer;
}
