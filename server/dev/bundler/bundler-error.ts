import type { Hex } from 'viem';
import { findAaCode } from '../../../core/gas/failures/aa-codes.ts';

/** What a bundler says of an operation it does not take, with a code of ERC-7769. */
export class BundlerError extends Error {
  override readonly name = 'BundlerError';
  readonly code: number;
  /** What the operation's own call reverted with, where that is known. */
  readonly data: Hex | undefined;

  constructor(code: number, message: string, data?: Hex) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Codes of ERC-7769 that are about one code of the EntryPoint; the others follow from who was asked. */
const codesOfReasons: ReadonlyMap<string, number> = new Map([
  // A time, or a block, that has passed or has not come.
  ['AA22', -32_503],
  ['AA27', -32_503],
  ['AA32', -32_503],
  ['AA37', -32_503],
  // A signature that is not accepted.
  ['AA24', -32_507],
  ['AA34', -32_507],
  // The paymaster's deposit.
  ['AA31', -32_508],
]);

/** The error for an operation that the EntryPoint does not take, whose reason (`AAxx …`) clients look for in the text. */
export function refusedByEntryPoint(reason: string): BundlerError {
  const aaCode = findAaCode(reason) ?? '';
  const byWhom = aaCode.startsWith('AA3') ? -32_501 : -32_500;
  return new BundlerError(codesOfReasons.get(aaCode) ?? byWhom, reason);
}
