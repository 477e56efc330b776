import { type Address, concatHex, type Hex, keccak256, slice, toHex } from 'viem';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';

/**
 * That account and paymaster sign at the same time, where the client asks for it and the contract can (EntryPoint
 * 0.9). `promised` is the `paymasterData` of an earlier stub, which the account may be signing; undefined where there
 * was none.
 */
export type Parallel = { readonly parallel?: { readonly promised: Hex | undefined } };

/** Reads from a request of ERC-7677 whether both sign at the same time. */
export function readParallel({ request, context, contract }: Asked & Identified): Parallel {
  if (context.parallelSigning !== true || contract.family.readPromise === undefined) return {};
  const { paymasterData = '0x' } = request.userOperation;
  return { parallel: { promised: paymasterData === '0x' ? undefined : (paymasterData.toLowerCase() as Hex) } };
}

/**
 * What a promise is filed under next to quotes, instead of their token: no token has this address. It names the data,
 * which has the mode, the token, the price and the times in it, and the policy that it was decided by. All else is
 * decided again.
 */
export function nameOfPromise({ profile }: Pick<Identified, 'profile'>, paymasterData: Hex): Address {
  return slice(keccak256(concatHex([paymasterData, toHex(profile.chosen?.policyId ?? '')])), 12);
}
