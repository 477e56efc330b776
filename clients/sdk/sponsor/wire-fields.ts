import type { Address, Hex } from 'viem';
import { NotInForm, readInteger, readPattern } from './read-form.ts';

/** Bytes as hex. */
export const readHex = readPattern(/^0x(?:[0-9a-fA-F]{2})*$/, (text): Hex => `0x${text.slice(2)}`);

export const readAddress = readPattern(/^0x[0-9a-fA-F]{40}$/, (text): Address => `0x${text.slice(2)}`);

/** A whole number as decimal digits, or as hex. */
export const readQuantityText = readPattern(/^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/, (text) => BigInt(text));

/** A whole number as a JSON number that a double holds exactly. */
export function readQuantityNumber(value: unknown): bigint {
  const number = readInteger(value);
  if (number < 0) throw new NotInForm();
  return BigInt(number);
}

/** A chain id as the ERC-7677 methods carry it. */
export function chainIdHex(chainId: number): Hex {
  return `0x${chainId.toString(16)}`;
}
