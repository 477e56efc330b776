import { decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, parseAbi, size, slice } from 'viem';
import { divideUp } from '../../base/values/integers.ts';
import { type FeeModelName, feeModelOf } from '../../domain/chain-config.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError, senselessAnswer } from '../../node/node-error.ts';
import { encodeForPublishing } from '../simulation/encode-handle-ops.ts';
import { addDataFeeMargin } from '../simulation/estimation-context.ts';
import { compressedBundle, type DataFeeReader, unsignedBundle } from './data-fee.ts';
import { dataFeeIfOracle, gasPriceOracle } from './find-fee-model.ts';
import { askPredeploy, type FeeOracle, type OracleQuestion, oracleDataFee, scrollOracle } from './oracle-data-fee.ts';

/** Address of the virtual contract `NodeInterface`, which Arbitrum's nodes implement. */
export const nodeInterface = '0x00000000000000000000000000000000000000C8';
const nodeInterfaceAbi = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
]);

/** The gas that an Arbitrum chain adds for publishing the bundler's transaction on its parent chain. */
function arbitrumDataFee(client: ChainClient): DataFeeReader {
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

/** The prices in a block of Linea, both in wei: per gas, and per byte of the compressed transaction. */
type LineaPrices = { readonly perGas: bigint; readonly perByte: bigint };

const weiInKiloWei = 1_000n;

/**
 * Linea charges data through the gas price: its sequencer accepts a transaction whose tip is at least `perGas + perByte ×
 * compressed bytes / gas`. The bundler receives the operation's tip; the data fee is what the tip does not cover.
 */
function lineaDataFee(client: ChainClient, chainId: number): DataFeeReader {
  return {
    async ask(simulated) {
      try {
        const { extraData, baseFeePerGas } = await client.getBlock({ blockTag: 'latest' });
        const prices = readLineaPrices(extraData);
        if (prices === undefined) return notThere;
        const forData = prices.perByte * BigInt(size(compressedBundle(chainId, simulated)));
        return accept((gasUsed) => ({
          kind: 'wei',
          wei: addDataFeeMargin(forData + prices.perGas * gasUsed),
          baseFeePerGas: baseFeePerGas ?? 0n,
          gasWithTip: gasUsed,
        }));
      } catch (error) {
        return refuse(explainNodeError(error));
      }
    },
  };
}

/** `extraData` of a block: a version, then three prices in thousands of wei, four bytes each. The third is not needed. */
function readLineaPrices(extraData: Hex): LineaPrices | undefined {
  if (size(extraData) < 13 || slice(extraData, 0, 1) !== '0x01') return undefined;
  const price = (start: number) => hexToBigInt(slice(extraData, start, start + 4)) * weiInKiloWei;
  return { perGas: price(1), perByte: price(5) };
}

const notThere = refuse({
  ...senselessAnswer,
  message: 'The latest block has no Linea prices in its extraData. Correct dataFee in the configuration of the chain.',
});

const gasPriceOracleAbi = parseAbi([
  'function getL1Fee(bytes unsignedTransaction) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
]);

/** The operator fee is linear in gas (Isthmus, Jovian): two answers determine it for any amount. */
const operatorFeeSample = 1_000_000_000n;

/**
 * The fees of an OP-stack chain in wei: `getL1Fee` of the unsigned transaction, and since Isthmus an operator fee for the
 * gas used. The oracle compresses the transaction as the chain does and adds the signature. An older oracle has no
 * `getOperatorFee`, and its chain does not charge it.
 */
function opStackOracle(chainId: number): FeeOracle {
  return {
    address: gasPriceOracle,
    name: 'GasPriceOracle of the OP stack',
    questions: (simulated) => [
      {
        data: encodeFunctionData({
          abi: gasPriceOracleAbi,
          functionName: 'getL1Fee',
          args: [unsignedBundle(chainId, simulated)],
        }),
      },
      ...operatorFeeQuestions,
    ],
    fee: ([l1Fee = 0n, ...operator], gasUsed) => l1Fee + operatorFee(operator, gasUsed),
  };
}

const operatorFeeQuestions: readonly OracleQuestion[] = [0n, operatorFeeSample].map((gasUsed) => ({
  data: encodeFunctionData({ abi: gasPriceOracleAbi, functionName: 'getOperatorFee', args: [gasUsed] }),
  ifAbsent: 0n,
}));

/** Computed from the answers to {@link operatorFeeQuestions}, rounded up. */
function operatorFee([constant = 0n, sampled = 0n]: readonly bigint[], gasUsed: bigint): bigint {
  const perSample = sampled > constant ? sampled - constant : 0n;
  return constant + divideUp(perSample * gasUsed, operatorFeeSample);
}

const mantleAbi = parseAbi(['function tokenRatio() view returns (uint256)']);

/**
 * The fees of Mantle, whose coin is MNT: `getL1Fee` answers in wei of ether, and `tokenRatio` is the MNT per ether. The
 * operator fee (Arsia) is already in MNT.
 */
function mantleOracle(chainId: number): FeeOracle {
  return {
    address: gasPriceOracle,
    name: 'GasPriceOracle of Mantle',
    questions: (simulated) => [
      {
        data: encodeFunctionData({
          abi: gasPriceOracleAbi,
          functionName: 'getL1Fee',
          args: [unsignedBundle(chainId, simulated)],
        }),
      },
      { data: encodeFunctionData({ abi: mantleAbi }) },
      ...operatorFeeQuestions,
    ],
    fee: ([l1Fee = 0n, tokenRatio = 0n, ...operator], gasUsed) => l1Fee * tokenRatio + operatorFee(operator, gasUsed),
  };
}

/** How a chain charges a bundle beyond the gas it uses. */
export type FeeModel = {
  /** Absent where data only costs gas. */
  readonly dataFee?: (client: ChainClient, chainId: number) => DataFeeReader;
  /** The chain charges the transaction's gas limit, not the gas used. */
  readonly chargesGasLimit?: true;
  /** Gas that the EntryPoint burns outside all limits, beyond the amount at Ethereum's prices. None when absent. */
  readonly extraOverhead?: bigint;
};

export const feeModels: Readonly<Record<FeeModelName, FeeModel>> = {
  none: {},
  'op-stack': { dataFee: (client, chainId) => oracleDataFee(client, opStackOracle(chainId)) },
  arbitrum: { dataFee: arbitrumDataFee },
  scroll: { dataFee: (client, chainId) => oracleDataFee(client, scrollOracle(chainId)) },
  mantle: { dataFee: (client, chainId) => oracleDataFee(client, mantleOracle(chainId)) },
  linea: { dataFee: lineaDataFee },
  // Monad charges 10,100 gas instead of 2,600 for the first access to an account; the beneficiary's is outside the
  // limits.
  monad: { chargesGasLimit: true, extraOverhead: 7_500n },
};

export type ChainFees = { readonly model: FeeModel; readonly dataFee: DataFeeReader | undefined };

export function createChainFees(chain: {
  readonly client: ChainClient;
  readonly config: Pick<ChainConfig, 'chainId' | 'dataFee'>;
}): ChainFees {
  const { client, config } = chain;
  const name = feeModelOf(config);
  const model = feeModels[name ?? 'none'];
  if (name !== undefined) return { model, dataFee: model.dataFee?.(client, config.chainId) };
  const ofOracle = oracleDataFee(client, opStackOracle(config.chainId));
  return { model, dataFee: dataFeeIfOracle(client, config, ofOracle) };
}
