import type { Address, Hex } from 'viem';
import type { InnerCall } from './decoder.ts';

/** A call whose `selector` is absent, not `undefined`, when it has no data. */
export function toInnerCall(target: Address, value: bigint, selector: Hex | undefined): InnerCall {
  return selector === undefined ? { target, value } : { target, value, selector };
}
