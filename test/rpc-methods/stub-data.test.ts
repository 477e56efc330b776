import fc from 'fast-check';
import { type Hex, hexToBytes, size } from 'viem';
import { describe, expect, test } from 'vitest';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import type { SignedTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import { stubTerms } from '../../core/sponsorship/sponsored-terms.ts';
import { arbitraryAddress, arbitraryOperation, arbitraryUint } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryTerms } from '../support/arbitrary/arbitrary-terms.ts';

/** Times as they are signed in this century: what comes before 2001 or after 2106 is not asked about. */
const time = fc.integer({ min: 1_000_000_000, max: 0xffff_ffff });

function termsOf(mode: SignedTerms['mode']): fc.Arbitrary<SignedTerms> {
  return fc
    .tuple(arbitraryTerms(mode), time, time)
    .map(([signedTerms, validUntil, validAfter]) => ({ ...signedTerms, validUntil, validAfter }));
}

const families = [...paymasterContractFamilies.values()].flatMap((family) =>
  family.modes.map((mode) => ({ family, name: family.name, mode })),
);

function zeroBytes(data: Hex): number {
  return hexToBytes(data).filter((byte) => byte === 0).length;
}

const signature: Hex = `0x${'5a'.repeat(64)}1b`;

describe.each(families)('the stub of $name in mode $mode', ({ family, mode }) => {
  const location = fc.record({
    chainId: fc.constant(1),
    address: arbitraryAddress,
    entryPoint: arbitraryAddress,
  });

  test('is as long as the final data and has no more zero bytes', () => {
    fc.assert(
      fc.property(
        location,
        arbitraryOperation(family.entryPointVersion),
        termsOf(mode),
        (at, operation, signedTerms) => {
          const stub = family.stub(at, operation, stubTerms(signedTerms));
          const final = family.assemble(
            family.prepare(at, operation, signedTerms, `0x${'11'.repeat(32)}`).unsigned,
            signature,
          );
          expect(size(stub)).toBe(size(final));
          expect(zeroBytes(stub)).toBeLessThanOrEqual(zeroBytes(final));
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('a stub charges no less than the final rate, and not more than a hundredth above it', () => {
  fc.assert(
    fc.property(arbitraryTerms('ERC20'), arbitraryUint(150), (signedTerms, rate) => {
      fc.pre(signedTerms.mode === 'ERC20');
      const stub = stubTerms({ ...signedTerms, exchangeRate: rate + 1n });
      const stubbed = stub.mode === 'ERC20' ? stub.exchangeRate : 0n;
      expect(stubbed).toBeGreaterThanOrEqual(rate + 1n);
      expect(stubbed * 100n).toBeLessThanOrEqual((rate + 1n) * 101n);
    }),
  );
});
