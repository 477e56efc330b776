import { type Address, type Hex, hexToBigInt, size } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import { addressWord, uintDigits } from '../evm/abi/hex-digits.ts';
import { nonceSequenceBits } from '../evm/entry-point/entry-point-abi.ts';
import { senselessAnswer } from '../node/node-error.ts';
import type { Read } from './simulation/plan-measurement.ts';

/** `getNonce(address,uint192)` */
const getNonceSelector = '0x35567e1a';

/** Reads the account's next nonce for the operation's nonce key (`EntryPoint.getNonce`). */
export function nextNonceRead(entryPoint: Address, { sender, nonce }: UserOperation): Read {
  const key = nonce >> BigInt(nonceSequenceBits);
  return { to: entryPoint, data: `${getNonceSelector}${addressWord(sender)}${uintDigits(key, 32)}` };
}

export function readNonce(answer: Hex | undefined): Result<bigint> {
  return answer !== undefined && size(answer) === 32 ? accept(hexToBigInt(answer)) : refuse(senselessAnswer);
}
