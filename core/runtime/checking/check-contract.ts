import type { Address, Hex } from 'viem';
import type { ChainConfig } from '../../domain/core-config.ts';
import { StartError } from '../../domain/start-error.ts';
import type { PreflightCheck } from '../../evm/paymaster-contracts/family/family.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeFailure } from '../../node/node-error.ts';
import { readRpcAnswer } from '../../node/rpc/rpc-answer.ts';

export type Asked = { readonly client: ChainClient; readonly config: Pick<ChainConfig, 'chainId'> };

/** JSON-RPC code of a reverted call; some nodes return nothing else. */
const executionReverted = 3;

/** What is wrong with a contract, and what the operator can do about it, in sentences. */
export type Complaint = { readonly text: string; readonly remedy?: string };

/**
 * Why a key cannot sign for a paymaster contract. Undefined when it can: the contract exists, accepts the key, and hashes as
 * we do.
 *
 * @throws StartError when the node does not answer.
 */
export async function checkContract(
  asked: Asked,
  contract: Pick<PaymasterContractRuntime, 'family' | 'location' | 'version'>,
  signer: Address,
): Promise<Complaint | undefined> {
  const { family, location, version } = contract;
  const which = `The paymaster contract of version ${version} at ${location.address} on chain ${location.chainId}`;
  const checks = family.preflight(location, signer);
  const [isThere, ...answers] = await Promise.all([
    hasCode(asked, location.address),
    ...checks.map((check) => callContract(asked, location.address, check.data)),
  ]);
  if (!isThere) return { text: `${which} has no code.` };
  const failed = checks.find((check, index) => {
    const answer = answers[index];
    return answer === undefined || !passes(check, answer);
  });
  if (failed === undefined) return undefined;
  const text = `${which} ${failed.complaint}.`;
  return failed.remedy === undefined ? { text } : { text, remedy: `${failed.remedy}.` };
}

export async function hasCode(asked: Asked, address: Address): Promise<boolean> {
  const code = await askNode(asked, asked.client.getCode({ address }));
  return code !== undefined && code !== '0x';
}

/** @throws StartError when the node does not answer. */
export async function askNode<T>({ config }: Asked, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    const { text, remedy } = explainNodeFailure(cause);
    throw new StartError(`The node of chain ${config.chainId} did not answer. ${text} ${remedy}`, {
      tryAgain: true,
      cause,
    });
  }
}

function passes(check: PreflightCheck, answer: Hex): boolean {
  return 'expected' in check ? answer === check.expected : check.accepts(answer);
}

/** The contract's answer; undefined when it reverts. */
async function callContract(asked: Asked, to: Address, data: Hex): Promise<Hex | undefined> {
  const { client } = asked;
  const call = client.request({ method: 'eth_call', params: [{ to, data }, 'latest'] }).catch((cause: unknown) => {
    const answer = readRpcAnswer(cause);
    if (answer?.code === executionReverted || /revert/i.test(answer?.details ?? '')) return undefined;
    throw cause;
  });
  return askNode(asked, call);
}
