import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { accept } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { encodeForPublishing } from '../simulation/encode-handle-ops.ts';
import { addDataFeeMargin } from '../simulation/estimation-limits.ts';
import { askPredeploy } from './ask-predeploy.ts';
import type { DataFeeReader } from './data-fee.ts';

/** Address of the virtual contract `NodeInterface`, which Arbitrum's nodes implement. */
export const nodeInterface = '0x00000000000000000000000000000000000000C8';
const nodeInterfaceAbi = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
]);

/** The gas that an Arbitrum chain adds for publishing the bundler's transaction on its parent chain. */
export function arbitrumDataFee(client: ChainClient): DataFeeReader {
  const abi = nodeInterfaceAbi;
  return {
    async ask(simulated) {
      const data = encodeFunctionData({ abi, args: [simulated.entryPoint, false, encodeForPublishing(simulated)] });
      const answer = await askPredeploy(client, {
        to: nodeInterface,
        questions: [{ data }],
        name: 'NodeInterface of Arbitrum',
        decode: (word) => decodeFunctionResult({ abi, data: word })[0],
      });
      if (!answer.ok) return answer;
      const gas = addDataFeeMargin(answer.value.values[0] ?? 0n);
      return accept(() => ({ kind: 'gas', gas }));
    },
  };
}
