import type { Address, Hex } from 'viem';
import type { ChainConfig } from '../domain/core-config.ts';
import { StartError } from '../domain/start-error.ts';
import type { PreflightCheck } from '../evm/paymaster-contracts/family/family.ts';
import type { PaymasterContractRuntime } from '../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { readRpcAnswer } from '../node/rpc-answer.ts';

type Checked = {
  readonly client: ChainClient;
  readonly config: ChainConfig;
  readonly contracts: readonly PaymasterContractRuntime[];
  readonly signer: Address;
};

/** JSON-RPC code of a call that reverted; some nodes only say so. */
const executionReverted = 3;

/**
 * Looks whether the chain has what the configuration says: its id, code at the EntryPoints and paymaster contracts, our
 * signer as the contract's own, and the contract's digest equal to ours. A paymaster contract that is not what it should
 * be stops only itself: the answer has a sentence about it, by its version.
 *
 * @throws StartError when the node does not answer, is another chain's, or has no EntryPoint.
 */
export async function checkChain(checked: Checked): Promise<ReadonlyMap<string, string>> {
  const { client, config } = checked;
  const chainId = await ask(config, client.getChainId());
  if (chainId !== config.chainId) {
    throw mistake(`The node of chain ${config.chainId} answers for chain ${chainId}.`);
  }
  const faults = new Map<string, string>();
  for (const contract of checked.contracts) {
    const { place, family, version } = contract;
    if (!(await hasCode(checked, place.entryPoint))) {
      throw mistake(
        `EntryPoint ${family.entryPointVersion} has no code at ${place.entryPoint} on chain ${place.chainId}.`,
      );
    }
    const complaint = await findComplaint(checked, contract);
    if (complaint === undefined) continue;
    const which = `The paymaster contract of version ${version} at ${place.address} on chain ${place.chainId}`;
    faults.set(version, `${which} ${complaint}.`);
  }
  return faults;
}

async function findComplaint(
  checked: Checked,
  { family, place }: PaymasterContractRuntime,
): Promise<string | undefined> {
  if (!(await hasCode(checked, place.address))) return 'has no code';
  for (const check of family.preflight(place, checked.signer)) {
    const answer = await callContract(checked, place.address, check.data);
    if (answer === undefined || !passes(check, answer)) return check.complaint;
  }
  return undefined;
}

function passes(check: PreflightCheck, answer: Hex): boolean {
  return 'expected' in check ? answer === check.expected : check.accepts(answer);
}

/** What the contract answers; undefined when it reverts. */
async function callContract({ client, config }: Checked, to: Address, data: Hex): Promise<Hex | undefined> {
  const call = client.request({ method: 'eth_call', params: [{ to, data }, 'latest'] }).catch((cause: unknown) => {
    const answer = readRpcAnswer(cause);
    if (answer?.code === executionReverted || /revert/i.test(answer?.details ?? '')) return undefined;
    throw cause;
  });
  return ask(config, call);
}

async function hasCode({ client, config }: Checked, address: Address): Promise<boolean> {
  const code = await ask(config, client.getCode({ address }));
  return code !== undefined && code !== '0x';
}

async function ask<T>(config: ChainConfig, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    throw new StartError(`The node of chain ${config.chainId} does not answer.`, { tryAgain: true, cause });
  }
}

function mistake(message: string): StartError {
  return new StartError(message, { tryAgain: false });
}
