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
  const [chainId, ...looked] = await Promise.allSettled([
    ask(config, client.getChainId()),
    ...checked.contracts.map((contract) => checkContract(checked, contract)),
  ]);
  if (chainId.status === 'rejected') throw chainId.reason;
  if (chainId.value !== config.chainId) {
    throw mistake(`The node of chain ${config.chainId} answers for chain ${chainId.value}.`);
  }
  const faults = new Map<string, string>();
  for (const contract of looked) {
    if (contract.status === 'rejected') throw contract.reason;
    const { version, fault } = contract.value;
    if (fault !== undefined) faults.set(version, fault);
  }
  return faults;
}

/** @throws StartError when the EntryPoint is not there, or the node does not answer. */
async function checkContract(
  checked: Checked,
  contract: PaymasterContractRuntime,
): Promise<{ readonly version: string; readonly fault?: string }> {
  const { place, family, version } = contract;
  const [hasEntryPoint, complaint] = await Promise.all([
    hasCode(checked, place.entryPoint),
    findComplaint(checked, contract),
  ]);
  if (!hasEntryPoint) {
    throw mistake(
      `EntryPoint ${family.entryPointVersion} has no code at ${place.entryPoint} on chain ${place.chainId}.`,
    );
  }
  if (complaint === undefined) return { version };
  const which = `The paymaster contract of version ${version} at ${place.address} on chain ${place.chainId}`;
  return { version, fault: `${which} ${complaint}.` };
}

async function findComplaint(
  checked: Checked,
  { family, place }: PaymasterContractRuntime,
): Promise<string | undefined> {
  const checks = family.preflight(place, checked.signer);
  const [isThere, ...answers] = await Promise.all([
    hasCode(checked, place.address),
    ...checks.map((check) => callContract(checked, place.address, check.data)),
  ]);
  if (!isThere) return 'has no code';
  return checks.find((check, index) => {
    const answer = answers[index];
    return answer === undefined || !passes(check, answer);
  })?.complaint;
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
