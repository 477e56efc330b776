import { toFunctionSelector } from 'viem';
import type { CustomError } from '../../evm/abi/custom-errors.ts';

/** Errors in which accounts and EntryPoints hand on what a call inside reverted with. */
export const wrappingErrors: readonly CustomError[] = [
  // The account of eth-infinitism from 0.8 on, for the call of a batch with this index.
  wrapping('ExecuteError', ['uint256', 'bytes']),
  // EntryPoint 0.7 and up, for a paymaster's postOp.
  wrapping('PostOpReverted', ['bytes']),
];

function wrapping(name: string, types: readonly string[]): CustomError {
  const signature = `${name}(${types.join(',')})`;
  return { name, signature, selector: toFunctionSelector(signature), inputs: types.map((type) => ({ type })) };
}
