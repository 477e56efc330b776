import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { Identified } from '../identify/identify.ts';

/** The operation without the gas that only a payment in advance needs: bundlers refuse mostly unused limits. */
export function withoutAdvanceGas({
  contract,
  operation,
}: Pick<Identified, 'contract'> & { readonly operation: UserOperationWithGas }): UserOperationWithGas {
  const { gas } = operation;
  const paymasterVerificationGasLimit = gas.paymasterVerificationGasLimit - (contract.family.advanceGas ?? 0n);
  return paymasterVerificationGasLimit > 0n
    ? { ...operation, gas: { ...gas, paymasterVerificationGasLimit } }
    : operation;
}
