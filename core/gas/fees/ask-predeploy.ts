import type { Address, Hex } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError, senselessAnswer } from '../../node/node-error.ts';
import { readRpcAnswer } from '../../node/rpc/rpc-answer.ts';

export type PredeployCall = {
  readonly to: Address;
  readonly data: Hex;
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
  { to, data, name, decode }: PredeployCall,
): Promise<Result<{ readonly value: bigint; readonly baseFeePerGas: bigint }>> {
  const notThere = refusePredeploy({ name, to });
  let answer: Hex | undefined;
  let baseFeePerGas: bigint;
  try {
    const [call, block] = await Promise.all([
      client.request({ method: 'eth_call', params: [{ to, data }, 'latest'] }),
      client.getBlock({ blockTag: 'latest' }),
    ]);
    answer = call;
    baseFeePerGas = block.baseFeePerGas ?? 0n;
  } catch (error) {
    const said = readRpcAnswer(error);
    // Code 3 is that of a revert.
    return said?.code === 3 || /revert/i.test(said?.details ?? '') ? notThere : refuse(explainNodeError(error));
  }
  if (answer === '0x') return notThere;
  try {
    return accept({ value: decode(answer), baseFeePerGas });
  } catch {
    return refuse(senselessAnswer);
  }
}

/** Where there is no such contract. */
export function refusePredeploy({ name, to }: Pick<PredeployCall, 'name' | 'to'>): Result<never> {
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The ${name} at ${to} does not respond on this chain. Check dataFee in its configuration.`,
  });
}
