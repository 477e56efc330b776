import fc from 'fast-check';
import { concatHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { PaymasterContract } from '../../core/evm/paymaster-contracts/family/family.ts';
import { arbitraryGrant } from '../support/arbitrary/arbitrary-grant.ts';
import { arbitraryOperation } from '../support/arbitrary/arbitrary-operation.ts';
import { singletonFamily } from '../support/paymaster-contracts/singleton-lab.ts';
import { everyChange, fieldCount, type Signed } from './every-change.ts';

const contract: PaymasterContract = { chainId: 1, address: `0x${'ab'.repeat(20)}`, entryPoint: `0x${'cd'.repeat(20)}` };

const grantFields = {
  SPONSORED: ['validUntil', 'validAfter'],
  ERC20: ['validUntil', 'validAfter', 'token', 'exchangeRate', 'treasury'],
};

describe.each(entryPointVersions)('what a signature for the contract of EntryPoint %s is bound to', (version) => {
  const family = singletonFamily(version);
  const digestOf = ({ contract, operation, grant }: Signed) => family.prepare(contract, operation, grant).digest;

  test.each(['SPONSORED', 'ERC20'] as const)('turning any signed bit changes the %s digest', (mode) => {
    fc.assert(
      fc.property(arbitraryOperation(version), arbitraryGrant(mode), (operation, grant) => {
        const signed = { contract, operation, grant };
        const changes = everyChange(signed, grantFields[mode]);
        expect(changes).toHaveLength(fieldCount(operation) + grantFields[mode].length);
        for (const [field, changed] of changes) expect(digestOf(changed), field).not.toBe(digestOf(signed));
      }),
      { numRuns: 20 },
    );
  });

  test('a byte cannot be moved from callData to initCode', () => {
    fc.assert(
      fc.property(arbitraryOperation(version), arbitraryGrant('SPONSORED'), (operation, grant) => {
        const left = { ...operation, initCode: concatHex([operation.initCode, '0x11']) };
        const right = { ...operation, callData: concatHex(['0x11', operation.callData]) };
        expect(digestOf({ contract, operation: left, grant })).not.toBe(
          digestOf({ contract, operation: right, grant }),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('a number too large for its field is not signed', () => {
    const [operation] = fc.sample(arbitraryOperation(version), 1);
    const [grant] = fc.sample(arbitraryGrant('ERC20'), 1);
    if (operation === undefined || grant === undefined) throw new Error('no sample');
    const late = { ...grant, validUntil: 2 ** 48 };
    expect(() => family.prepare(contract, operation, late)).toThrow(RangeError);
  });
});
