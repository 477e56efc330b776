import fc from 'fast-check';
import { concatHex, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { GasLimits, UserOperationWithGas } from '../../core/domain/user-operation.ts';
import type { Grant, PaymasterContract } from '../../core/paymaster-contracts/family.ts';
import { arbitraryGrant } from '../fixtures/arbitrary-grant.ts';
import { arbitraryOperation } from '../fixtures/arbitrary-operation.ts';
import { singletonFamily } from './singleton-lab.ts';

type Signed = { readonly operation: UserOperationWithGas; readonly contract: PaymasterContract; readonly grant: Grant };

const contract: PaymasterContract = { chainId: 1, address: `0x${'ab'.repeat(20)}`, entryPoint: `0x${'cd'.repeat(20)}` };

/** The same with its lowest bit turned; of nothing, a zero byte. */
function turned<T extends bigint | number | Hex>(value: T): T {
  if (typeof value === 'bigint') return (value ^ 1n) as T;
  if (typeof value === 'number') return (value === 1 ? 2 : value - 1) as T;
  const digits: string = value;
  if (digits === '0x') return '0x00' as T;
  return `${digits.slice(0, -1)}${(Number.parseInt(digits.slice(-1), 16) ^ 1).toString(16)}` as T;
}

const operationFields = ['sender', 'nonce', 'initCode', 'callData', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;
const accountGas = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const;
const paymasterGas = ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'] as const;
const grantFields = {
  SPONSORED: ['validUntil', 'validAfter'],
  ERC20: ['validUntil', 'validAfter', 'token', 'exchangeRate', 'treasury'],
};

function withGas(signed: Signed, field: keyof GasLimits): Signed {
  const { operation } = signed;
  return { ...signed, operation: { ...operation, gas: { ...operation.gas, [field]: turned(operation.gas[field]) } } };
}

function everyChange(signed: Signed): [string, Signed][] {
  const { operation, grant } = signed;
  const limits = operation.entryPointVersion === '0.6' ? accountGas : [...accountGas, ...paymasterGas];
  return [
    ...operationFields.map((field): [string, Signed] => [
      field,
      { ...signed, operation: { ...operation, [field]: turned(operation[field]) } },
    ]),
    ...limits.map((field): [string, Signed] => [field, withGas(signed, field)]),
    ...Object.entries(grant)
      .filter(([field]) => grantFields[grant.mode].includes(field))
      .map(([field, value]): [string, Signed] => [field, { ...signed, grant: { ...grant, [field]: turned(value) } }]),
    ['chainId', { ...signed, contract: { ...contract, chainId: 2 } }],
    ['paymaster', { ...signed, contract: { ...contract, address: turned(contract.address) } }],
  ];
}

describe.each(entryPointVersions)('what a signature for singleton %s is bound to', (version) => {
  const family = singletonFamily(version);
  const digestOf = ({ contract, operation, grant }: Signed) => family.prepare(contract, operation, grant).digest;

  test.each(['SPONSORED', 'ERC20'] as const)('turning any signed bit changes the %s digest', (mode) => {
    fc.assert(
      fc.property(arbitraryOperation(version), arbitraryGrant(mode), (operation, grant) => {
        const signed = { contract, operation, grant };
        const changes = everyChange(signed);
        expect(changes).toHaveLength(6 + (version === '0.6' ? 3 : 5) + grantFields[mode].length + 2);
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
