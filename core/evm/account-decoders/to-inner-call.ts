import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import { selectorOf } from './calldata-walker.ts';
import type { InnerCall } from './decoder.ts';

/** A call with its data; throws a `NotUnderstoodError` for data that is too short to name a method. */
export function toInnerCall(target: Address, value: bigint, data: Buffer): InnerCall {
  const selector = selectorOf(data);
  return { target, value, data: `0x${data.toString('hex')}`, ...omitAbsent({ selector }) };
}
