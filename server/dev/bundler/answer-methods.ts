import { type Hex, isHex, numberToHex } from 'viem';
import type { Refusal } from '../../../core/domain/result/refusal.ts';
import { entryPointOf } from '../../../core/evm/entry-point/entry-points.ts';
import { handleDelegatingOperation, handleUserOperation, OperationRefused } from '../user-operation/entry-point.ts';
import {
  BundlerError,
  type DevBundlerParts,
  packPaymaster,
  readDelegation,
  readSentOperation,
  readSignedDelegation,
  refusedByEntryPoint,
  toDevOperation,
} from './sent-operation.ts';

/**
 * `eth_sendUserOperation`: sends the operation to the EntryPoint at once, in its own bundle, and returns its hash when it is
 * on chain.
 */
export async function sendOperation(parts: DevBundlerParts, params: readonly unknown[]): Promise<Hex> {
  const { devnet, config, account, inTurn, landed } = parts;
  const { operation, version } = readSentOperation(devnet, params);
  const packed = toDevOperation(operation, version, config.eip7702Marker);
  try {
    const outcome = await inTurn(async () => {
      const delegation = await readSignedDelegation(devnet, operation);
      return delegation === undefined
        ? handleUserOperation(devnet, packed, account)
        : handleDelegatingOperation(devnet, packed, delegation, account);
    });
    landed.set(outcome.userOpHash, { operation, entryPoint: devnet.entryPoints[version], outcome });
    return outcome.userOpHash;
  } catch (error) {
    throw error instanceof OperationRefused ? refusedByEntryPoint(error.reason) : error;
  }
}

/**
 * `boost_sendUserOperation` as in alto: an operation without fees and paymaster, whose gas the bundler pays. If it has
 * already landed, returns its hash.
 */
export async function sendFreeOperation(parts: DevBundlerParts, params: readonly unknown[]): Promise<Hex> {
  const { operation } = readSentOperation(parts.devnet, params);
  const { maxFeePerGas, maxPriorityFeePerGas, paymaster, paymasterAndData } = operation;
  if (maxFeePerGas !== 0n || maxPriorityFeePerGas !== 0n) {
    throw new BundlerError(-32_602, 'maxFeePerGas and maxPriorityFeePerGas must be 0');
  }
  if (paymaster !== undefined || paymasterAndData !== '0x') {
    throw new BundlerError(-32_602, 'an operation without fees has no paymaster');
  }
  return sendOperation(parts, params);
}

/**
 * Verification gas of an account that pays for itself, for its transfer to the EntryPoint and a new slot there. The
 * simulation assumes that the payer has a deposit.
 */
const prefundGas = 50_000n;

/** `eth_estimateUserOperationGas`: the limits with which the operation lands, found by simulation. */
export async function estimateOperation(
  { devnet, config, estimator }: DevBundlerParts,
  params: readonly unknown[],
): Promise<object> {
  const { operation, version } = readSentOperation(devnet, params);
  const estimated = await estimator.estimate({
    operation: {
      ...toDevOperation(operation, version, config.eip7702Marker),
      ...(await readDelegation(devnet, operation)),
    },
    entryPoint: devnet.entryPoints[version],
    paymasterGas: operation,
    // Simulates with the client's estimation data.
    stub: ({ gas }) => packPaymaster({ ...operation, ...gas }, version),
    callGasAllowance: 0n,
  });
  if (!estimated.ok) throw toBundlerError(estimated.refusal);
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit, ...found } = estimated.value.limits;
  const paysItself = packPaymaster(operation, version) === '0x';
  const own = { ...found, verificationGasLimit: found.verificationGasLimit + (paysItself ? prefundGas : 0n) };
  const all = entryPointOf(version).isPacked ? { ...own, paymasterVerificationGasLimit, paymasterPostOpGasLimit } : own;
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, numberToHex(value)]));
}

/** The estimator's refusal in a bundler's form: the EntryPoint's code first, a revert of the call with its data. */
function toBundlerError({ reason, message, field, details }: Refusal): BundlerError {
  if (reason !== 'ESTIMATION_FAILED') return new BundlerError(-32_603, message);
  const { aaCode, revertData } = details ?? {};
  if (typeof aaCode === 'string') return refusedByEntryPoint(`${aaCode} ${message}`);
  if (field !== 'callData') return refusedByEntryPoint(message);
  return new BundlerError(-32_521, `execution reverted: ${message}`, isHex(revertData) ? revertData : undefined);
}

/** `eth_getUserOperationByHash`; `null` for an operation that did not come through this bundler. */
export function describeOperation({ landed }: DevBundlerParts, [hash]: readonly unknown[]): object | null {
  const found = landed.get(String(hash));
  if (found === undefined) return null;
  const { operation, entryPoint, outcome } = found;
  const userOperation = Object.fromEntries(
    Object.entries(operation).map(([name, value]) => [name, typeof value === 'bigint' ? numberToHex(value) : value]),
  );
  const { blockHash, blockNumber } = outcome.receipt;
  return {
    userOperation,
    entryPoint,
    transactionHash: outcome.transactionHash,
    blockHash,
    blockNumber: numberToHex(blockNumber),
  };
}

/** `eth_getUserOperationReceipt`; `null` for an operation that did not come through this bundler. */
export async function describeReceipt(
  { devnet, landed }: DevBundlerParts,
  [hash]: readonly unknown[],
): Promise<object | null> {
  const found = landed.get(String(hash));
  if (found === undefined) return null;
  const { outcome, entryPoint, operation } = found;
  // In the node's form, for clients that read hex numbers.
  const receipt = await devnet.client.request({
    method: 'eth_getTransactionReceipt',
    params: [outcome.transactionHash],
  });
  return {
    userOpHash: hash,
    entryPoint,
    sender: operation.sender,
    nonce: numberToHex(operation.nonce),
    paymaster: outcome.paymaster,
    actualGasCost: numberToHex(outcome.actualGasCost),
    actualGasUsed: numberToHex(outcome.actualGasUsed),
    success: outcome.success,
    logs: receipt?.logs ?? [],
    receipt,
  };
}
