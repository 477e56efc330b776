import { size } from 'viem';
import type { UserOperation } from '../../../domain/user-operation.ts';

/** What validation hashes and the EntryPoint copies. */
export type ValidatedData = Pick<UserOperation, 'callData' | 'initCode'>;

/** The longest call data that is accepted, in bytes. */
const maxData = 65_536;
const gasPerWord = 15n;
/** Memory costs grow with the square: one gas for this many words, squared. */
const squaredWordsPerGas = 480n;
/** What every validation limit has on top, in basis points of the need: the state may differ when the operation lands. */
const validationMarginBasisPoints = 1_000n;
const basisPoints = 10_000n;

/**
 * Limit of `postOp` for contracts that have none. The EntryPoint takes 0 as well, but clients such as thirdweb's count a limit of 0 as
 * missing: they then mix the answer with an estimate of their own, for which nothing is signed.
 */
export const unusedPostOpGas = 1n;

/**
 * What validation needs beyond the measured need where the contract looks up whether the bundler is one of those that it was told of, in
 * gas. In sponsored mode the margin covers it.
 */
export const bundlerLookupGas = 2_600n;

/**
 * `paymasterVerificationGasLimit` for an operation: the need with {@link validationMarginBasisPoints} on top, and then
 * `reserve`, for what is known to differ from the measured case. Without an operation (a stub, or limits that the client
 * has made itself) it is enough for any: what is not used costs nothing.
 *
 * `base` is the least limit that passes for an operation without data. With data it grows by 15 gas a word and
 * `words^2 / 480`: measured on EntryPoint 0.7 and 0.8 with 8 to 2,040 words, within 2 %.
 */
export function validationGasLimit(base: bigint, operation: ValidatedData | undefined, reserve = 0n): bigint {
  const bytes = operation === undefined ? maxData : size(operation.callData) + size(operation.initCode);
  const words = BigInt(Math.ceil(bytes / 32));
  const need = base + gasPerWord * words + (words * words) / squaredWordsPerGas;
  return need + (need * validationMarginBasisPoints) / basisPoints + reserve;
}
