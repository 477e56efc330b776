import type { Address, Hex } from 'viem';
import type { ChainConfig } from '../domain/core-config.ts';
import { StartError } from '../domain/start-error.ts';
import type { PaymasterContractRuntime, PreflightCheck } from '../evm/paymaster-contracts/family/family.ts';
import { tryOverrides } from '../gas/simulation/override-call.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { explainNodeFailure, overridesUnsupported } from '../node/node-error.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';

type Checked = {
  readonly client: ChainClient;
  readonly config: ChainConfig;
  readonly contracts: readonly PaymasterContractRuntime[];
  /** Newest first. */
  readonly signers: readonly Address[];
};

/** The key that can sign for a contract: the newest that it accepts. `complaint` says why the newest key cannot. */
export type ContractVerdict = { readonly signer?: Address; readonly complaint?: Complaint };

/**
 * Checks that the chain matches the configuration: its id, code at the EntryPoints and paymaster contracts, one of our
 * signers accepted by each contract, and its digest equal to ours. A mismatching paymaster contract only disables itself.
 *
 * @returns a verdict on each contract, by its version.
 * @throws StartError when the node does not answer, belongs to another chain, or has no EntryPoint.
 */
export async function checkChain(checked: Checked): Promise<ReadonlyMap<string, ContractVerdict>> {
  const { client, config } = checked;
  // All in parallel; of several failures the first in this order is reported.
  const [chainId, ...judged] = await Promise.allSettled([
    askNode(checked, client.getChainId()),
    ...checked.contracts.map((contract) => judgeAt(checked, contract)),
  ]);
  if (chainId.status === 'rejected') throw chainId.reason;
  if (chainId.value !== config.chainId) {
    throw mistake(`The node of chain ${config.chainId} is on chain ${chainId.value}.`);
  }
  return new Map(
    judged.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    }),
  );
}

/** @throws StartError when the EntryPoint is missing, or the node does not answer. */
async function judgeAt(checked: Checked, contract: PaymasterContractRuntime): Promise<[string, ContractVerdict]> {
  const { location, family, version } = contract;
  const [hasEntryPoint, verdict] = await Promise.all([hasCode(checked, location.entryPoint), judge(checked, contract)]);
  if (!hasEntryPoint) {
    throw mistake(
      `EntryPoint ${family.entryPointVersion} has no code at ${location.entryPoint} on chain ${location.chainId}.`,
    );
  }
  return [version, verdict];
}

async function judge(checked: Checked, contract: PaymasterContractRuntime): Promise<ContractVerdict> {
  const complaints: Complaint[] = [];
  for (const signer of checked.signers) {
    const complaint = await checkContract(checked, contract, signer);
    const [first] = complaints;
    if (complaint === undefined) return first === undefined ? { signer } : { signer, complaint: first };
    complaints.push(complaint);
  }
  return { complaint: complaints[0] ?? { text: 'There is no signing key.' } };
}

function mistake(message: string): StartError {
  return new StartError(message, { tryAgain: false });
}

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

async function hasCode(asked: Asked, address: Address): Promise<boolean> {
  const code = await askNode(asked, asked.client.getCode({ address }));
  return code !== undefined && code !== '0x';
}

/** @throws StartError when the node does not answer. */
async function askNode<T>({ config }: Asked, call: Promise<T>): Promise<T> {
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

/**
 * Checks that one of the chain's nodes can simulate operations. Otherwise no limits could be estimated or checked, not even
 * a bundler's, and nothing could be signed.
 *
 * @throws StartError when none can, and when the nodes do not answer.
 */
export async function checkOverrides({ chainId }: Pick<ChainConfig, 'chainId'>, client: ChainClient): Promise<void> {
  const tried = await tryOverrides(client);
  if (tried.ok) return;
  if (tried.refusal !== overridesUnsupported) {
    throw new StartError(`The node of chain ${chainId} does not respond.`, { tryAgain: true });
  }
  throw new StartError(
    `No node of chain ${chainId} supports eth_call with state overrides, which every gas limit is checked with, even a bundler's. Add a node that does to nodeUrls.`,
    { tryAgain: false },
  );
}
