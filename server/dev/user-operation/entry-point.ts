import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  type Hex,
  isHex,
  parseEventLogs,
  type SignedAuthorization,
  size,
  type TransactionReceipt,
} from 'viem';
import { entryPoint06Abi, entryPoint07Abi, entryPoint08Abi } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import { delegationCode } from '../../../core/evm/entry-point/eip7702.ts';
import { describeRevert } from '../../../core/gas/failures/decode-failure.ts';
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
 * Sends one signed operation through `handleOps` from `bundler`, which is also the beneficiary, and waits for it; in a
 * transaction of type 4 if it carries the sender's authorization. Throws `OperationRefused` when the EntryPoint rejects it; if
 * only its call reverted, the result is `success: false`.
 */
export async function handleUserOperation(
  devnet: Devnet,
  operation: DevUserOperation,
  bundler: LocalAccount,
  delegation?: SignedAuthorization,
): Promise<OperationOutcome> {
  const hash = await sendHandleOps(devnet, operation, bundler, delegation);
  const receipt = await devnet.client.waitForTransactionReceipt({ hash });
  const [event] = parseEventLogs({ abi: entryPoint07Abi, logs: receipt.logs, eventName: 'UserOperationEvent' });
  if (event === undefined) throw new OperationRefused('it left no UserOperationEvent', receipt);
  const { userOpHash, sender, paymaster, success, actualGasCost, actualGasUsed } = event.args;
  return { userOpHash, sender, paymaster, success, actualGasCost, actualGasUsed, transactionHash: hash, receipt };
}

async function sendHandleOps(
  { client, entryPoints }: Devnet,
  operation: DevUserOperation,
  bundler: LocalAccount,
  delegation: SignedAuthorization | undefined,
): Promise<Hex> {
  const common = {
    account: bundler,
    chain: client.chain,
    address: entryPoints[operation.entryPointVersion],
    functionName: 'handleOps',
    gas: bundleGas(operation),
  } as const;
  const delegated = delegation && [{ address: operation.sender, code: delegationCode(delegation.address) }];
  const simulated = delegated === undefined ? {} : { stateOverride: delegated };
  const carried = delegation === undefined ? {} : { authorizationList: [delegation] };
  try {
    if (operation.entryPointVersion === '0.6') {
      const call = { ...common, abi: entryPoint06Abi, args: [[operation], bundler.address] } as const;
      await client.simulateContract({ ...call, ...simulated });
      return await client.writeContract({ ...call, ...carried });
    }
    // From 0.7 on they share the function; later ones only add errors.
    const call = { ...common, abi: entryPoint08Abi, args: [[packUserOperation(operation)], bundler.address] } as const;
    await client.simulateContract({ ...call, ...simulated });
    return await client.writeContract({ ...call, ...carried });
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

/**
 * The text of the EntryPoint's `FailedOp` or `FailedOpWithRevert`, with the inner revert of account, factory or paymaster; else
 * viem's short message.
 */
function refusalReason(error: unknown): string {
  if (!(error instanceof BaseError)) return 'unknown error';
  const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  if (!(revert instanceof ContractFunctionRevertedError)) return error.shortMessage;
  const [, reason, inner] = revert.data?.args ?? [];
  if (typeof reason !== 'string') return error.shortMessage;
  return isHex(inner) && size(inner) > 0 ? `${reason} (revert ${describeRevert(inner)})` : reason;
}
