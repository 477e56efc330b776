import { type Address, type Call, encodeFunctionData, type Hex } from 'viem';

/** A call of a smart account, encoded. `value` in wei. */
export type EncodedCall = { readonly to: Address; readonly data: Hex; readonly value: bigint };

/** Calls as viem takes them, those with an ABI encoded. */
export function encodeCalls(calls: readonly Call[]): readonly EncodedCall[] {
  return calls.map((call) => ({
    to: call.to,
    data: call.abi === undefined ? (call.data ?? '0x') : encodeFunctionData(call),
    value: call.value ?? 0n,
  }));
}
