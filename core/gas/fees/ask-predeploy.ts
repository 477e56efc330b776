import type { Address, Hex } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError, senselessAnswer } from '../../node/node-error.ts';
import { readRpcAnswer } from '../../node/rpc/rpc-answer.ts';

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
export function refusePredeploy({ name, to }: Pick<PredeployCall, 'name' | 'to'>): Result<never> {
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The ${name} at ${to} does not respond on this chain. Check dataFee in its configuration.`,
  });
}
