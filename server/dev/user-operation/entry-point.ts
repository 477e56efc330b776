import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  type Hex,
  parseEventLogs,
  type SignedAuthorization,
  type TransactionReceipt,
} from 'viem';
import { entryPoint06Abi, entryPoint07Abi, entryPoint08Abi } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import { delegationCode } from '../../../core/evm/entry-point/eip7702.ts';
import type { Devnet } from '../devnet/devnet.ts';
import { type DevUserOperation, packUserOperation } from './dev-user-operation.ts';

/** The chain's result of a landed operation (EntryPoint event `UserOperationEvent`). Cost in wei. */
export type OperationOutcome = {
  readonly userOpHash: Hex;
  readonly transactionHash: Hex;
  readonly sender: Address;
  readonly paymaster: Address;
  readonly success: boolean;
  readonly actualGasCost: bigint;
  readonly actualGasUsed: bigint;
  readonly receipt: TransactionReceipt;
};

/** The EntryPoint rejected the operation, e.g. `AA34 signature error`. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  readonly reason: string;

  constructor(reason: string, cause: unknown) {
    super(`The EntryPoint refused the user operation: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** The operation's hash, as its EntryPoint computes it. */
export function readUserOperationHash(devnet: Devnet, operation: DevUserOperation): Promise<Hex> {
  const address = devnet.entryPoints[operation.entryPointVersion];
  const functionName = 'getUserOpHash';
  if (operation.entryPointVersion === '0.6') {
    return devnet.client.readContract({ address, abi: entryPoint06Abi, functionName, args: [operation] });
  }
  // From 0.7 on they share the function.
  const args = [packUserOperation(operation)] as const;
  return devnet.client.readContract({ address, abi: entryPoint07Abi, functionName, args });
}

/**
 * Sends one signed operation through `handleOps` from `bundler`, which is also the beneficiary, and waits for it. Throws
 * `OperationRefused` when the EntryPoint rejects it; if only its call reverted, the result is `success: false`.
 */
export async function handleUserOperation(
  devnet: Devnet,
  operation: DevUserOperation,
  bundler: LocalAccount,
): Promise<OperationOutcome> {
  const common = {
    account: bundler,
    chain: devnet.client.chain,
    address: devnet.entryPoints[operation.entryPointVersion],
    functionName: 'handleOps',
    gas: bundleGas(operation),
  } as const;
  const hash = await sendHandleOps(devnet, operation, common);
  const receipt = await devnet.client.waitForTransactionReceipt({ hash });
  const [event] = parseEventLogs({ abi: entryPoint07Abi, logs: receipt.logs, eventName: 'UserOperationEvent' });
  if (event === undefined) throw new OperationRefused('it left no UserOperationEvent', receipt);
  const { userOpHash, sender, paymaster, success, actualGasCost, actualGasUsed } = event.args;
  return { userOpHash, sender, paymaster, success, actualGasCost, actualGasUsed, transactionHash: hash, receipt };
}

async function sendHandleOps(
  devnet: Devnet,
  operation: DevUserOperation,
  common: {
    account: LocalAccount;
    chain: Devnet['client']['chain'];
    address: Address;
    functionName: 'handleOps';
    gas: bigint;
  },
): Promise<Hex> {
  const beneficiary = common.account.address;
  try {
    if (operation.entryPointVersion === '0.6') {
      const call = { ...common, abi: entryPoint06Abi, args: [[operation], beneficiary] } as const;
      await devnet.client.simulateContract(call);
      return await devnet.client.writeContract(call);
    }
    // From 0.7 on they share the function; later ones only add errors.
    const call = { ...common, abi: entryPoint08Abi, args: [[packUserOperation(operation)], beneficiary] } as const;
    await devnet.client.simulateContract(call);
    return await devnet.client.writeContract(call);
  } catch (error) {
    throw new OperationRefused(refusalReason(error), error);
  }
}

/** Gas of the EntryPoint around the operations, in addition to their own limits. */
const handleOpsOverhead = 2_000_000n;
/** Gas cap of one transaction (EIP-7825). */
const transactionGasCap = 16_777_216n;

/** Gas limit of the transaction that sends only this operation to the EntryPoint. */
function bundleGas({ callGasLimit, verificationGasLimit, preVerificationGas }: DevUserOperation): bigint {
  const wanted = callGasLimit + verificationGasLimit * 3n + preVerificationGas + handleOpsOverhead;
  return wanted < transactionGasCap ? wanted : transactionGasCap;
}

/** The text of the EntryPoint's `FailedOp` or `FailedOpWithRevert`, or viem's short message. */
function refusalReason(error: unknown): string {
  if (!(error instanceof BaseError)) return 'unknown error';
  const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  const reason = revert instanceof ContractFunctionRevertedError ? revert.data?.args?.[1] : undefined;
  return typeof reason === 'string' ? reason : error.shortMessage;
}

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
