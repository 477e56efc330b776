import { type Hex, isHex, numberToHex } from 'viem';
import type { Refusal } from '../../../core/domain/result/refusal.ts';
import { entryPointOf } from '../../../core/evm/entry-point/entry-points.ts';
import { handleUserOperation, OperationRefused } from '../user-operation/entry-point.ts';
import { checkPrice } from './check-price.ts';
import { readOverrides } from './overriding-client.ts';
import {
  BundlerError,
  type DevBundlerParts,
  packPaymaster,
  type ReadOperation,
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
  const sent = readSentOperation(parts.devnet, params);
  await checkPrice(parts, sent);
  return send(parts, sent);
}

async function send({ devnet, config, account, inTurn, landed }: DevBundlerParts, sent: ReadOperation): Promise<Hex> {
  const { operation, version } = sent;
  const packed = toDevOperation(operation, version, config.eip7702Marker);
  try {
    const { userOpHash, transactionHash } = await inTurn(async () =>
      handleUserOperation(devnet, packed, account, await readSignedDelegation(devnet, operation)),
    );
    landed.set(userOpHash, { operation, version, transactionHash });
    return userOpHash;
  } catch (error) {
    throw error instanceof OperationRefused ? refusedByEntryPoint(error.reason) : error;
  }
}

/**
 * `boost_sendUserOperation` as in alto: an operation without fees and paymaster, whose gas the bundler pays. If it has
 * already landed, returns its hash.
 */
export async function sendFreeOperation(parts: DevBundlerParts, params: readonly unknown[]): Promise<Hex> {
  const sent = readSentOperation(parts.devnet, params);
  const { operation } = sent;
  const { maxFeePerGas, maxPriorityFeePerGas, paymaster, paymasterAndData } = operation;
  if (maxFeePerGas !== 0n || maxPriorityFeePerGas !== 0n) {
    throw new BundlerError(-32_602, 'maxFeePerGas and maxPriorityFeePerGas must be 0');
  }
  if (paymaster !== undefined || paymasterAndData !== '0x') {
    throw new BundlerError(-32_602, 'an operation without fees has no paymaster');
  }
  return send(parts, sent);
}

/**
 * Verification gas of an account that pays for itself, for its transfer to the EntryPoint and a new slot there. The
 * simulation assumes that the payer has a deposit.
 */
const prefundGas = 50_000n;

/** `eth_estimateUserOperationGas`: the limits with which the operation lands, found by simulation. */
export async function estimateOperation(
  { devnet, config, estimatorFor }: DevBundlerParts,
  params: readonly unknown[],
): Promise<object> {
  const { operation, version } = readSentOperation(devnet, params);
  const estimated = await estimatorFor(readOverrides(params[2])).estimate({
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
