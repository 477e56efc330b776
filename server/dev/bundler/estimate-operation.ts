import { isHex, numberToHex } from 'viem';
import type { Refusal } from '../../../core/domain/result/refusal.ts';
import { entryPointOf } from '../../../core/evm/entry-point/entry-points.ts';
import { BundlerError, refusedByEntryPoint } from './bundler-error.ts';
import type { DevBundlerParts } from './dev-bundler-parts.ts';
import { readDelegation } from './sent-authorization.ts';
import { packPaymaster, readSentOperation, toDevOperation } from './sent-operation.ts';

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
