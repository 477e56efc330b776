import { type Address, encodeFunctionData, type Hex, hexToBigInt, parseAbi, size } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError, senselessAnswer } from '../../node/node-error.ts';
import { readRpcAnswer } from '../../node/rpc/rpc-answer.ts';
import { addDataFeeMargin, type SimulatedOperation } from '../simulation/estimation-context.ts';
import { compressedBundle, type DataFeeOf, type DataFeeReader } from './data-fee.ts';

/** The longest call data sent within a simulation, in bytes: compressing it uses gas that the simulation needs. */
const maxSimulatedBytes = 4_096;

export type OracleQuestion = {
  readonly data: Hex;
  /** The value if the contract reverts, as an older one does. Without it the contract must answer. */
  readonly ifAbsent?: bigint;
};

/** A contract of the chain that computes data fees; each answer is one word. */
export type FeeOracle = {
  readonly address: Address;
  /** Shown to the operator. */
  readonly name: string;
  questions(simulated: SimulatedOperation): readonly OracleQuestion[];
  /** The fee in wei of a bundle that uses this much gas, from the answers in order. */
  fee(answers: readonly bigint[], gasUsed: bigint): bigint;
};

/** Reads data fees from a contract, within the simulation of the operation if the call data is short. */
export function oracleDataFee(client: ChainClient, oracle: FeeOracle): DataFeeReader {
  const { address: to, name } = oracle;
  const feeOf =
    (answers: readonly bigint[], baseFeePerGas: bigint): DataFeeOf =>
    (gasUsed) => ({ kind: 'wei', wei: addDataFeeMargin(oracle.fee(answers, gasUsed)), baseFeePerGas });
  return {
    inSimulation(simulated) {
      const questions = oracle.questions(simulated);
      if (questions.some(({ data }) => size(data) > maxSimulatedBytes)) return undefined;
      return {
        reads: questions.map(({ data }) => ({ to, data })),
        answer(answers, baseFeePerGas) {
          const words = questions.map((question, index) => readWord(oracle, question, answers[index]));
          const failed = words.find((word) => !word.ok);
          if (failed?.ok === false) return failed;
          return accept(
            feeOf(
              words.flatMap((word) => (word.ok ? [word.value] : [])),
              baseFeePerGas,
            ),
          );
        },
      };
    },
    async ask(simulated) {
      const answer = await askPredeploy(client, { to, name, questions: oracle.questions(simulated), decode });
      return answer.ok ? accept(feeOf(answer.value.values, answer.value.baseFeePerGas)) : answer;
    },
  };
}

function readWord(
  { name, address: to }: FeeOracle,
  { ifAbsent }: OracleQuestion,
  answer: Hex | undefined,
): Result<bigint> {
  const isAbsent = answer === undefined || answer === '0x';
  if (isAbsent) return ifAbsent === undefined ? refusePredeploy({ name, to }) : accept(ifAbsent);
  try {
    return accept(decode(answer));
  } catch {
    return refuse(senselessAnswer);
  }
}

function decode(answer: Hex): bigint {
  if (size(answer) !== 32) throw new Error('The answer is not one word.');
  return hexToBigInt(answer);
}

/** The `L1GasPriceOracle` predeploy of Scroll. */
export const scrollOracleAddress = '0x5300000000000000000000000000000000000002';
const scrollOracleAbi = parseAbi(['function getL1Fee(bytes transaction) view returns (uint256)']);

/**
 * The fee of Scroll for the data of the bundler's transaction, in wei. Since Galileo (December 2025) the oracle takes the
 * compressed signed transaction, and computes only with its length.
 */
export function scrollOracle(chainId: number): FeeOracle {
  return {
    address: scrollOracleAddress,
    name: 'L1GasPriceOracle of Scroll',
    questions: (simulated) => [
      { data: encodeFunctionData({ abi: scrollOracleAbi, args: [compressedBundle(chainId, simulated)] }) },
    ],
    fee: ([l1Fee = 0n]) => l1Fee,
  };
}

type PredeployCall = {
  readonly to: Address;
  /** The calls; `ifAbsent` is used if the contract reverts. */
  readonly questions: readonly { readonly data: Hex; readonly ifAbsent?: bigint }[];
  /** The contract's name, shown to the operator. */
  readonly name: string;
  decode(answer: Hex): bigint;
};

/**
 * Calls a contract predeployed on a layer 2, and reads the chain's base fee in wei per gas at the same time. Refuses with
 * `CHAIN_UNAVAILABLE`, also if the chain has no such contract.
 */
export async function askPredeploy(
  client: ChainClient,
  { to, questions, name, decode }: PredeployCall,
): Promise<Result<{ readonly values: readonly bigint[]; readonly baseFeePerGas: bigint }>> {
  const notThere = refusePredeploy({ name, to });
  const ask = async ({ data, ifAbsent }: PredeployCall['questions'][number]): Promise<Hex | bigint> => {
    try {
      const answer: Hex = await client.request({ method: 'eth_call', params: [{ to, data }, 'latest'] });
      return answer === '0x' && ifAbsent !== undefined ? ifAbsent : answer;
    } catch (error) {
      if (!isRevert(error)) throw error;
      return ifAbsent ?? '0x';
    }
  };
  let answers: readonly (Hex | bigint)[];
  let baseFeePerGas: bigint;
  try {
    const [block, ...words] = await Promise.all([client.getBlock({ blockTag: 'latest' }), ...questions.map(ask)]);
    answers = words;
    baseFeePerGas = block.baseFeePerGas ?? 0n;
  } catch (error) {
    return refuse(explainNodeError(error));
  }
  if (answers.includes('0x')) return notThere;
  try {
    const values = answers.map((answer) => (typeof answer === 'bigint' ? answer : decode(answer)));
    return accept({ values, baseFeePerGas });
  } catch {
    return refuse(senselessAnswer);
  }
}

/** JSON-RPC code 3 is a revert. */
function isRevert(error: unknown): boolean {
  const said = readRpcAnswer(error);
  return said?.code === 3 || /revert/i.test(said?.details ?? '');
}

/** The refusal for a chain without this contract. */
function refusePredeploy({ name, to }: Pick<PredeployCall, 'name' | 'to'>): Result<never> {
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The ${name} at ${to} does not respond on this chain. Check dataFee in its configuration.`,
  });
}
