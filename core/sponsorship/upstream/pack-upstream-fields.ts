import { concatHex, type Hex, numberToHex } from 'viem';
import type { UserOperation } from '../../domain/user-operation.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import type { UpstreamFields } from '../../node/upstream/read-upstream-fields.ts';

/** `paymasterAndData` of another paymaster, in the form of the operation's EntryPoint. */
export function packUpstreamFields(
  { paymaster, paymasterData, ...gas }: UpstreamFields,
  { entryPointVersion }: Pick<UserOperation, 'entryPointVersion'>,
): Hex {
  if (!entryPointOf(entryPointVersion).isPacked) return concatHex([paymaster, paymasterData]);
  const limit = (value: bigint) => numberToHex(value, { size: 16 });
  const limits = [limit(gas.paymasterVerificationGasLimit), limit(gas.paymasterPostOpGasLimit)];
  return concatHex([paymaster, ...limits, paymasterData]);
}
