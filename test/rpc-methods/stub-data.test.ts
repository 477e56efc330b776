import fc from 'fast-check';
import { type Hex, hexToBytes, size } from 'viem';
import { describe, expect, test } from 'vitest';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import type { Grant } from '../../core/evm/paymaster-contracts/family/family.ts';
import { stubGrant } from '../../core/sponsorship/grant-sponsorship.ts';
import { arbitraryGrant } from '../support/arbitrary/arbitrary-grant.ts';
import { arbitraryAddress, arbitraryOperation, arbitraryUint } from '../support/arbitrary/arbitrary-operation.ts';

/** Times as they are signed in this century: what comes before 2001 or after 2106 is not asked about. */
const time = fc.integer({ min: 1_000_000_000, max: 0xffff_ffff });

function grantOf(mode: Grant['mode']): fc.Arbitrary<Grant> {
  return fc
    .tuple(arbitraryGrant(mode), time, time)
    .map(([grant, validUntil, validAfter]) => ({ ...grant, validUntil, validAfter }));
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
      fc.property(location, arbitraryOperation(family.entryPointVersion), grantOf(mode), (at, operation, grant) => {
        const stub = family.stub(at, operation, stubGrant(grant));
        const final = family.assemble(family.prepare(at, operation, grant, `0x${'11'.repeat(32)}`).unsigned, signature);
        expect(size(stub)).toBe(size(final));
        expect(zeroBytes(stub)).toBeLessThanOrEqual(zeroBytes(final));
      }),
      { numRuns: 60 },
    );
  });
});

test('a stub charges no less than the final rate, and not more than a hundredth above it', () => {
  fc.assert(
    fc.property(arbitraryGrant('ERC20'), arbitraryUint(150), (grant, rate) => {
      fc.pre(grant.mode === 'ERC20');
      const stub = stubGrant({ ...grant, exchangeRate: rate + 1n });
      const stubbed = stub.mode === 'ERC20' ? stub.exchangeRate : 0n;
      expect(stubbed).toBeGreaterThanOrEqual(rate + 1n);
      expect(stubbed * 100n).toBeLessThanOrEqual((rate + 1n) * 101n);
    }),
  );
});
