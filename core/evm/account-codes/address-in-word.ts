import { type Address, getAddress, type Hex } from 'viem';

/** The address in the last 20 bytes of a word, as the EVM reads it; undefined for the zero address. */
export function addressInWord(word: Hex): Address | undefined {
  const digits = word.slice(2).padStart(64, '0').slice(-40);
  return /^0*$/.test(digits) ? undefined : getAddress(`0x${digits}`);
}

/** The address in the word at an offset (bytes) of code. */
export function addressInCode(code: Hex, offset: number): Address | undefined {
  const start = 2 + offset * 2;
  return code.length < start + 64 ? undefined : addressInWord(`0x${code.slice(start, start + 64)}`);
}
