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

/** The EntryPoint of a version. */
export function entryPointOf(version: EntryPointVersion): EntryPoint {
  return entryPoints[version];
}

/**
 * The userOpHash that the EntryPoint of the operation's version computes (`getUserOpHash`), by which its events name
 * the operation. The account's signature is not part of it.
 */
export function userOperationHash(input: OperationToHash): Hex {
  return entryPoints[input.operation.entryPointVersion].hash(input);
}

/**
 * The most wei an EntryPoint takes from the paymaster's deposit for an operation: its own required prefund. It sets this
 * much aside before execution and gives back what was not used (an operation that would cost more reverts with `AA51` or
 * is charged exactly this), so the penalty on unused gas is inside it.
 */
export function requiredPrefund(operation: UserOperationWithGas): bigint {
  return requiredGas(operation) * operation.maxFeePerGas;
}

/** The gas the required prefund pays for. */
export function requiredGas({ entryPointVersion, gas }: UserOperationWithGas): bigint {
  return entryPoints[entryPointVersion].requiredGas(gas);
}
