import type { Address } from 'viem';
import type { ChainConfig } from '../../domain/core-config.ts';
import { StartError } from '../../domain/start-error.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { askNode, type Complaint, checkContract, hasCode } from './check-contract.ts';

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
