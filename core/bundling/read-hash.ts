import { type Hex, isHash } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';

/** The hash of an operation as a client sent it, in lower case. */
export function readHash(text: string): Result<Hex> {
  if (isHash(text)) return accept(text.toLowerCase() as Hex);
  return refuse({ reason: 'INVALID_PARAMS', message: 'userOpHash must be 32 bytes in hex', field: 'userOpHash' });
}
