import type { Address, Hex } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError, senselessAnswer } from '../../node/node-error.ts';
import { readRpcAnswer } from '../../node/rpc/rpc-answer.ts';

type PredeployCall = {
  readonly to: Address;
  /** What is asked; `ifAbsent` is taken where the contract reverts on it. */
  readonly questions: readonly { readonly data: Hex; readonly ifAbsent?: bigint }[];
  /** What sits at the address, for the operator. */
  readonly name: string;
  decode(answer: Hex): bigint;
};

/**
 * Asks a contract that a layer 2 has from the start, and the chain for its base fee in wei per gas at the same time.
 * Refuses with `CHAIN_UNAVAILABLE`, also where the chain has no such contract.
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

/** Code 3 is that of a revert. */
function isRevert(error: unknown): boolean {
  const said = readRpcAnswer(error);
  return said?.code === 3 || /revert/i.test(said?.details ?? '');
}

/** Where there is no such contract. */
export function refusePredeploy({ name, to }: Pick<PredeployCall, 'name' | 'to'>): Result<never> {
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The ${name} at ${to} does not respond on this chain. Check dataFee in its configuration.`,
  });
}
