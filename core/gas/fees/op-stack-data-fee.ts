import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseGwei,
  serializeTransaction,
  size,
} from 'viem';
import { accept, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { senselessAnswer } from '../../node/node-error.ts';
import { encodeForPublishing } from '../simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../simulation/estimation-context.ts';
import { addDataFeeMargin } from '../simulation/estimation-limits.ts';
import { askPredeploy, refusePredeploy } from './ask-predeploy.ts';
import type { DataFee, DataFeeReader } from './data-fee.ts';

/** The `GasPriceOracle` predeploy of every OP-stack chain. */
export const gasPriceOracle = '0x420000000000000000000000000000000000000F';
export const gasPriceOracleAbi = parseAbi(['function getL1Fee(bytes unsignedTransaction) view returns (uint256)']);

/** Stand-ins for the fields of the bundler's transaction that are not known: as long as real ones. */
const bundlerNonce = 0xb7d3e9;
const bundlerGas = 0x5ad3e9n;
const bundlerFee = parseGwei('0.123456789');

/** The longest transaction that a simulation asks about, in bytes: compressing it takes gas that the simulation needs. */
const maxSimulatedBytes = 4_096;

/**
 * The fee of an OP-stack chain for the data of the bundler's transaction, in wei: `getL1Fee` of the unsigned transaction,
 * to which the oracle adds the signature. It compresses the data as the chain does.
 */
export function opStackDataFee(client: ChainClient, chainId: number): DataFeeReader {
  const abi = gasPriceOracleAbi;
  const name = 'GasPriceOracle of the OP stack';
  const decode = (data: Hex) => decodeFunctionResult({ abi, data });
  const encode = (transaction: Hex) => encodeFunctionData({ abi, args: [transaction] });
  return {
    inSimulation(simulated) {
      const transaction = unsignedTransaction(chainId, simulated);
      if (size(transaction) > maxSimulatedBytes) return undefined;
      return {
        read: { to: gasPriceOracle, data: encode(transaction) },
        answer(answer, baseFeePerGas) {
          if (answer === undefined || answer === '0x') return refusePredeploy({ name, to: gasPriceOracle });
          try {
            return accept(feeOf(decode(answer), baseFeePerGas));
          } catch {
            return refuse(senselessAnswer);
          }
        },
      };
    },
    async ask(simulated) {
      const data = encode(unsignedTransaction(chainId, simulated));
      const answer = await askPredeploy(client, { to: gasPriceOracle, data, name, decode });
      return answer.ok ? accept(feeOf(answer.value.value, answer.value.baseFeePerGas)) : answer;
    },
  };
}

function feeOf(wei: bigint, baseFeePerGas: bigint): DataFee {
  return { kind: 'wei', wei: addDataFeeMargin(wei), baseFeePerGas };
}

function unsignedTransaction(chainId: number, simulated: SimulatedOperation): Hex {
  return serializeTransaction({
    type: 'eip1559',
    chainId,
    nonce: bundlerNonce,
    gas: bundlerGas,
    maxFeePerGas: bundlerFee,
    maxPriorityFeePerGas: bundlerFee,
    to: simulated.entryPoint,
    data: encodeForPublishing(simulated),
  });
}
