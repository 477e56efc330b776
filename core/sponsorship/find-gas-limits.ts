import { accept, type Result, refuse } from '../domain/result.ts';
import type { GasLimits, UserOperationWithGas } from '../domain/user-operation.ts';
import type { Grant } from '../paymaster-contracts/family.ts';
import type { Identified } from './identify.ts';
import type { ReadOperation } from './read-user-operation.ts';

/**
 * Call gas that a client's prepended `approve` adds to a token operation after it has been quoted, in gas: a first
 * allowance on a token behind a proxy, inside a batch.
 */
export const approvalGasAllowance = 60_000n;

/**
 * Sixth step: the limits that will be signed. Either the client's own (`calculateGasLimits` false: all three must be
 * there) or estimated. The paymaster's own limits are always the service's.
 */
export async function findGasLimits(input: {
  readonly identified: Identified;
  readonly read: ReadOperation;
  readonly calculate: boolean;
  readonly grant: Grant;
  readonly callGasAllowance: bigint;
}): Promise<Result<GasLimits>> {
  const { identified, read, grant } = input;
  const { family, place } = identified.contract;
  const paymasterGas = family.paymasterGasLimits(grant.mode);
  if (!input.calculate) return useGivenLimits(read.givenGas, paymasterGas);
  return identified.chain.estimator.estimate({
    operation: read.operation,
    entryPoint: place.entryPoint,
    paymasterGas,
    stub: (operation: UserOperationWithGas) => family.stub(place, operation, grant),
    callGasAllowance: input.callGasAllowance,
  });
}

function useGivenLimits(
  given: ReadOperation['givenGas'],
  paymasterGas: Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>,
): Result<GasLimits> {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = given;
  const missing = (field: string): Result<never> =>
    refuse({ reason: 'INVALID_PARAMS', message: `${field} must be a number when calculateGasLimits is false`, field });
  if (callGasLimit === undefined) return missing('callGasLimit');
  if (verificationGasLimit === undefined) return missing('verificationGasLimit');
  if (preVerificationGas === undefined) return missing('preVerificationGas');
  return accept({ callGasLimit, verificationGasLimit, preVerificationGas, ...paymasterGas });
}
