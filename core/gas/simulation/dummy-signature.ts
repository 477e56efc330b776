import type { UserOperation } from '../../domain/user-operation.ts';
import { dummySignature } from '../../evm/account-codes/estimation-signature.ts';

/** The operation with a signature to estimate with: the client's own (often a dummy made for its account), or ours. */
export function withEstimationSignature<T extends UserOperation>(operation: T): T {
  return operation.signature === '0x' ? { ...operation, signature: dummySignature } : operation;
}
