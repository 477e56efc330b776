import { type Address, concatHex, type Hex, keccak256, slice, toHex } from 'viem';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';

/**
 *
 *
 * Whether account and paymaster sign in parallel: the client requests it and the contract supports it (EntryPoint 0.9).
 * `promised` is the `paymasterData` of an earlier stub, which the account may be signing; undefined if there was none.
 */
export type Parallel = { readonly parallel?: { readonly promised: Hex | undefined } };

/** Reads from an ERC-7677 request whether both sign in parallel. */
export function readParallel({ request, context, contract }: Asked & Identified): Parallel {
  if (context.parallelSigning !== true || contract.family.readPromise === undefined) return {};
  const { paymasterData = '0x' } = request.userOperation;
  return { parallel: { promised: paymasterData === '0x' ? undefined : (paymasterData.toLowerCase() as Hex) } };
}

/**
 *
 *
 * The key of a promise among the quotes, instead of a token: no token has this address. It includes the data, with mode,
 * token, price and times, and the deciding policy. Everything else is decided again.
 */
export function nameOfPromise({ profile }: Pick<Identified, 'profile'>, paymasterData: Hex): Address {
  return slice(keccak256(concatHex([paymasterData, toHex(profile.chosen?.policyId ?? '')])), 12);
}
