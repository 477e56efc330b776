import fc from 'fast-check';
import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';

/** Any bytes as `0x` hex. */
export function arbitraryHex(bounds: { minLength?: number; maxLength: number }): fc.Arbitrary<Hex> {
  return fc.uint8Array(bounds).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
}

/** Any address, in lower case. */
export const arbitraryAddress: fc.Arbitrary<Address> = arbitraryHex({ minLength: 20, maxLength: 20 });

/** An unsigned integer of that many bits, also the largest and 0. */
export function arbitraryUint(bits: number): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
}

/** Any operation that can be encoded for the version, however absurd its numbers. */
export function arbitraryOperation(entryPointVersion: EntryPointVersion): fc.Arbitrary<UserOperationWithGas> {
  const gas = arbitraryUint(120);
  const none = fc.constant(0n);
  const paymasterGas = entryPointVersion === '0.6' ? none : gas;
  return fc.record({
    entryPointVersion: fc.constant(entryPointVersion),
    sender: arbitraryAddress,
    nonce: arbitraryUint(256),
    initCode: fc.oneof(fc.constant<Hex>('0x'), arbitraryHex({ minLength: 20, maxLength: 150 })),
    callData: arbitraryHex({ maxLength: 400 }),
    maxFeePerGas: arbitraryUint(120),
    maxPriorityFeePerGas: arbitraryUint(120),
    signature: arbitraryHex({ maxLength: 70 }),
    gas: fc.record({
      callGasLimit: gas,
      verificationGasLimit: gas,
      preVerificationGas: gas,
      paymasterVerificationGasLimit: paymasterGas,
      paymasterPostOpGasLimit: paymasterGas,
    }),
  });
}
