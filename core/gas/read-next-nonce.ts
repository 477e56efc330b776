import { type Address, encodeFunctionData, type Hex, hexToBigInt, size } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import { entryPoint07Abi } from '../evm/entry-point/entry-point-abi.ts';
import { nonceSequenceBits } from '../evm/entry-point/nonce-sequence-bits.ts';
import { senselessAnswer } from '../node/node-error.ts';
import type { Read } from './simulation/plan-measurement.ts';

/** Asks for the account's next nonce for the key of the operation's own one (`EntryPoint.getNonce`). */
export function nextNonceRead(entryPoint: Address, { sender, nonce }: UserOperation): Read {
  const args = [sender, nonce >> BigInt(nonceSequenceBits)] as const;
  return { to: entryPoint, data: encodeFunctionData({ abi: entryPoint07Abi, functionName: 'getNonce', args }) };
}

/** The answer. */
export function readNonce(answer: Hex | undefined): Result<bigint> {
  return answer !== undefined && size(answer) === 32 ? accept(hexToBigInt(answer)) : refuse(senselessAnswer);
}
