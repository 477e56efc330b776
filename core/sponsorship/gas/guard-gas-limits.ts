import { accept, type Result } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { dummySignature } from '../../evm/account-codes/known-code.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import type { Guarded } from '../../gas/gas-guard.ts';
import type { Identified } from '../identify/identify.ts';
import { bindsCallGas, type WithCalls } from './calls-to-measure.ts';
import { addUnseenGas, estimationParts } from './find-gas-limits.ts';

/**
 * Refuses given limits that are far above the need, or so low that the operation fails (`GasGuard`). Estimated ones are
 * neither.
 */
export async function guardGasLimits(
  identified: Identified & WithCalls,
  operation: UserOperationWithGas,
  grant: Grant,
): Promise<Result<Guarded>> {
  const { chain, contract } = identified;
  const { location, family } = contract;
  return chain.gasGuard.check({
    operation,
    signatureOfKind: async () => {
      const reading = await chain.accountReader.read(operation, location.entryPoint, undefined);
      if (!reading.ok) return reading;
      if (!('kind' in reading.value)) return accept(undefined);
      return accept(reading.value.kind.estimationSignature ?? dummySignature);
    },
    calls: bindsCallGas(identified) ? identified.calls : undefined,
    payment: `${location.address} ${grant.mode} ${grant.mode === 'ERC20' ? grant.token : ''}`,
    complete: (estimated) => addUnseenGas(estimated, family.verificationGas),
    unseenVerificationGas: family.verificationGas?.unseen ?? 0n,
    ...estimationParts(identified, grant, operation),
  });
}
