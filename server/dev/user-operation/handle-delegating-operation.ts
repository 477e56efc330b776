import { encodeFunctionData, parseEventLogs, type SignedAuthorization } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import { delegationCode } from '../../../core/evm/entry-point/eip7702.ts';
import type { Devnet } from '../devnet/devnet.ts';
import { bundleGas } from './bundle-gas.ts';
import { type DevUserOperation, packUserOperation } from './dev-user-operation.ts';
import { type OperationOutcome, OperationRefused } from './entry-point.ts';
import { refusalReason } from './refusal-reason.ts';

/**
 * Sends one signed operation of EntryPoint 0.7 or later through `handleOps`, in a transaction that carries the sender's
 * authorization (type 4). Throws `OperationRefused`.
 */
export async function handleDelegatingOperation(
  devnet: Devnet,
  operation: DevUserOperation,
  delegation: SignedAuthorization,
  bundler: LocalAccount,
): Promise<OperationOutcome> {
  const { client } = devnet;
  const address = devnet.entryPoints[operation.entryPointVersion];
  const call = {
    abi: entryPoint08Abi,
    functionName: 'handleOps',
    args: [[packUserOperation(operation)], bundler.address],
  } as const;
  const code = delegationCode(delegation.address);
  const stateOverride = [{ address: operation.sender, code }];
  await client.simulateContract({ ...call, address, account: bundler, stateOverride }).catch((error: unknown) => {
    throw new OperationRefused(refusalReason(error), error);
  });
  const hash = await client.sendTransaction({
    account: bundler,
    chain: client.chain,
    to: address,
    data: encodeFunctionData(call),
    gas: bundleGas(operation),
    authorizationList: [delegation],
  });
  const receipt = await client.waitForTransactionReceipt({ hash });
  const [event] = parseEventLogs({ abi: entryPoint08Abi, logs: receipt.logs, eventName: 'UserOperationEvent' });
  if (event === undefined) throw new OperationRefused('it left no UserOperationEvent', receipt);
  const { userOpHash, sender, paymaster, success, actualGasCost, actualGasUsed } = event.args;
  return { userOpHash, sender, paymaster, success, actualGasCost, actualGasUsed, transactionHash: hash, receipt };
}
