import type { Address, Hex } from 'viem';
import { z } from 'zod';

/** Bytes as hex. */
export const HexSchema = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
  .transform((text): Hex => `0x${text.slice(2)}`);

export const AddressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text): Address => `0x${text.slice(2)}`);

/** A whole number as decimal digits, or as hex. */
export const QuantityTextSchema = z
  .string()
  .regex(/^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/)
  .transform((text) => BigInt(text));

/** A whole number as a JSON number that a double holds exactly. */
export const QuantityNumberSchema = z
  .int()
  .nonnegative()
  .transform((number) => BigInt(number));

/** A chain id as the ERC-7677 methods carry it. */
export function chainIdHex(chainId: number): Hex {
  return `0x${chainId.toString(16)}`;
}
