import fc from 'fast-check';
import { concatHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { PaymasterContract } from '../../core/evm/paymaster-contracts/family/family.ts';
import { arbitraryOperation } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryTerms } from '../support/arbitrary/arbitrary-terms.ts';
import { singletonFamily } from '../support/paymaster-contracts/singleton-lab.ts';
import { everyChange, fieldCount, type Signed } from './every-change.ts';

const contract: PaymasterContract = { chainId: 1, address: `0x${'ab'.repeat(20)}`, entryPoint: `0x${'cd'.repeat(20)}` };

const termsFields = {
  SPONSORED: ['validUntil', 'validAfter'],
  ERC20: ['validUntil', 'validAfter', 'token', 'exchangeRate', 'tokenRecipient'],
};

describe.each(entryPointVersions)('what a signature for the contract of EntryPoint %s is bound to', (version) => {
  const family = singletonFamily(version);
  const digestOf = ({ contract, operation, signedTerms }: Signed) =>
    family.prepare(contract, operation, signedTerms).digest;

  test.each(['SPONSORED', 'ERC20'] as const)('turning any signed bit changes the %s digest', (mode) => {
    fc.assert(
      fc.property(arbitraryOperation(version), arbitraryTerms(mode), (operation, signedTerms) => {
        const signed = { contract, operation, signedTerms };
        const changes = everyChange(signed, termsFields[mode]);
        expect(changes).toHaveLength(fieldCount(operation) + termsFields[mode].length);
        for (const [field, changed] of changes) expect(digestOf(changed), field).not.toBe(digestOf(signed));
      }),
      { numRuns: 20 },
    );
  });

  test('a byte cannot be moved from callData to initCode', () => {
    fc.assert(
      fc.property(arbitraryOperation(version), arbitraryTerms('SPONSORED'), (operation, signedTerms) => {
        const left = { ...operation, initCode: concatHex([operation.initCode, '0x11']) };
        const right = { ...operation, callData: concatHex(['0x11', operation.callData]) };
        expect(digestOf({ contract, operation: left, signedTerms })).not.toBe(
          digestOf({ contract, operation: right, signedTerms }),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('a number too large for its field is not signed', () => {
    const [operation] = fc.sample(arbitraryOperation(version), 1);
    const [signedTerms] = fc.sample(arbitraryTerms('ERC20'), 1);
    if (operation === undefined || signedTerms === undefined) throw new Error('no sample');
    const late = { ...signedTerms, validUntil: 2 ** 48 };
    expect(() => family.prepare(contract, operation, late)).toThrow(RangeError);
  });
});
