import { decodeFunctionResult, encodeFunctionData, parseAbi, parseGwei, serializeTransaction } from 'viem';
import { accept, type Result } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { encodeForPublishing } from '../simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';
import { addDataFeeMargin } from '../simulation/estimation-limits.ts';
import { askPredeploy } from './ask-predeploy.ts';
import type { DataFee } from './data-fee.ts';

/** The `GasPriceOracle` predeploy of every OP-stack chain. */
export const gasPriceOracle = '0x420000000000000000000000000000000000000F';
export const gasPriceOracleAbi = parseAbi(['function getL1Fee(bytes unsignedTransaction) view returns (uint256)']);

/** Stand-ins for the fields of the bundler's transaction that are not known: as long as real ones. */
const bundlerNonce = 0xb7d3e9;
const bundlerGas = 0x5ad3e9n;
const bundlerFee = parseGwei('0.123456789');

/**
 * The fee of an OP-stack chain for the data of the bundler's transaction, in wei: `getL1Fee` of the unsigned transaction,
 * to which the oracle adds the signature. It compresses the data as the chain does.
 */
export async function readOpStackDataFee(
  client: ChainClient,
  chainId: number,
  simulated: SimulatedOperation,
): Promise<Result<DataFee>> {
  const transaction = serializeTransaction({
    type: 'eip1559',
    chainId,
    nonce: bundlerNonce,
    gas: bundlerGas,
    maxFeePerGas: bundlerFee,
    maxPriorityFeePerGas: bundlerFee,
    to: simulated.entryPoint,
    data: encodeForPublishing(simulated),
  });
  const abi = gasPriceOracleAbi;
  const answer = await askPredeploy(client, {
    to: gasPriceOracle,
    data: encodeFunctionData({ abi, args: [transaction] }),
    name: 'GasPriceOracle of the OP stack',
    decode: (data) => decodeFunctionResult({ abi, data }),
  });
  if (!answer.ok) return answer;
  const { value, baseFeePerGas } = answer.value;
  return accept({ kind: 'wei', wei: addDataFeeMargin(value), baseFeePerGas });
}
