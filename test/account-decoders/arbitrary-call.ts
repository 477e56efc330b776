import fc from 'fast-check';
import type { Hex } from 'viem';
import type { AccountMethod, FullCall } from '../support/accounts/account-kinds.ts';
import { arbitraryAddress, arbitraryHex, arbitraryUint } from '../support/arbitrary/arbitrary-operation.ts';

/** Any call that a method can carry: no data, or at least a selector. */
export function arbitraryCall({ carriesValue }: Pick<AccountMethod, 'carriesValue'>): fc.Arbitrary<FullCall> {
  return fc.record({
    target: arbitraryAddress,
    value: carriesValue ? fc.oneof(fc.constant(0n), arbitraryUint(256)) : fc.constant(0n),
    data: fc.oneof(fc.constant<Hex>('0x'), arbitraryHex({ minLength: 4, maxLength: 140 })),
  });
}
