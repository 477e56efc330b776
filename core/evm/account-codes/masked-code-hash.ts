import { type Hex, keccak256 } from 'viem';
import type { CodeMark } from './known-code.ts';

const wordDigits = 64;
const zeroWord = '0'.repeat(wordDigits);

/** The hash of runtime code, with the words at these offsets (bytes) set to zero. */
export function maskedCodeHash(code: Hex, immutables: readonly number[] = []): Hex {
  let digits = code.slice(2);
  for (const offset of immutables) {
    const start = offset * 2;
    if (start + wordDigits > digits.length) continue;
    digits = digits.slice(0, start) + zeroWord + digits.slice(start + wordDigits);
  }
  return keccak256(`0x${digits}`);
}

/** Whether the contract with this code and address has this mark. */
export function hasMark(mark: CodeMark, { address, code }: { readonly address: string; readonly code: Hex }): boolean {
  if ('address' in mark) return mark.address.toLowerCase() === address.toLowerCase();
  return maskedCodeHash(code, mark.immutables) === mark.codeHash;
}
