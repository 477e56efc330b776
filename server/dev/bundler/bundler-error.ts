import type { Hex } from 'viem';
import { findAaCode } from '../../../core/gas/failures/aa-codes.ts';

/** A bundler's refusal of an operation, with an ERC-7769 code. */
export class BundlerError extends Error {
  override readonly name = 'BundlerError';
  readonly code: number;
  /** The revert data of the operation's own call, if known. */
  readonly data: Hex | undefined;

  constructor(code: number, message: string, data?: Hex) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** ERC-7769 codes for specific EntryPoint codes; for others the code depends on the contract involved. */
const codesOfReasons: ReadonlyMap<string, number> = new Map([
  // A time or block window that has passed or not begun.
  ['AA22', -32_503],
  ['AA27', -32_503],
  ['AA32', -32_503],
  ['AA37', -32_503],
  // An invalid signature.
  ['AA24', -32_507],
  ['AA34', -32_507],
  // The paymaster's deposit.
  ['AA31', -32_508],
]);

/** The error for an operation that the EntryPoint rejects. Clients look for the reason (`AAxx …`) in the text. */
export function refusedByEntryPoint(reason: string): BundlerError {
  const aaCode = findAaCode(reason) ?? '';
  const byWhom = aaCode.startsWith('AA3') ? -32_501 : -32_500;
  return new BundlerError(codesOfReasons.get(aaCode) ?? byWhom, reason);
}
