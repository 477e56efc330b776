import type { Hex } from 'viem';
import type { UserOperation } from '../../domain/user-operation.ts';

/**
 * A well-formed signature of no known key: `r` is the x of a point on the curve and `s` is low, so that recovery
 * gives some address instead of failing. Accounts then answer "signature failed", which estimation takes.
 */
export const dummySignature: Hex = `0x${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${'3a'.repeat(32)}1c`;

/** The operation with a signature to estimate with: the client's own (often a dummy made for its account), or ours. */
export function withEstimationSignature<T extends UserOperation>(operation: T): T {
  return operation.signature === '0x' ? { ...operation, signature: dummySignature } : operation;
}
