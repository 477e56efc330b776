import type { Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { EntryPoint, OperationToHash } from './entry-point.ts';
import { entryPoint06 } from './v0.6.ts';
import { entryPoint07 } from './v0.7.ts';
import { entryPoint08 } from './v0.8.ts';
import { entryPoint09 } from './v0.9.ts';

const entryPoints: Readonly<Record<EntryPointVersion, EntryPoint>> = {
  '0.6': entryPoint06,
  '0.7': entryPoint07,
  '0.8': entryPoint08,
  '0.9': entryPoint09,
};

export function entryPointOf(version: EntryPointVersion): EntryPoint {
  return entryPoints[version];
}

/**
 * The userOpHash, as computed by the EntryPoint of the operation's version (`getUserOpHash`) and used in its events. It does
 * not include the account's signature.
 */
export function userOperationHash(input: OperationToHash): Hex {
  return entryPoints[input.operation.entryPointVersion].hash(input);
}

/**
 * The most wei an EntryPoint takes from the paymaster's deposit for an operation: its required prefund. The EntryPoint
 * reserves it before execution and refunds the unused part. The penalty on unused gas is included: an operation that would
 * cost more reverts with `AA51` or is charged exactly this much.
 */
export function requiredPrefund(operation: UserOperationWithGas): bigint {
  return requiredGas(operation) * operation.maxFeePerGas;
}

/** The gas that the required prefund pays for. */
export function requiredGas({ entryPointVersion, gas }: UserOperationWithGas): bigint {
  return entryPoints[entryPointVersion].requiredGas(gas);
}
