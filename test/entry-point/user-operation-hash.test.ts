import fc from 'fast-check';
import { type Address, concatHex, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { OperationToHash } from '../../core/evm/entry-point/entry-point.ts';
import { entryPoint06Abi, entryPoint07Abi } from '../../core/evm/entry-point/entry-point-abi.ts';
import { userOperationHash } from '../../core/evm/entry-point/entry-points.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import { appendPaymasterSignature, paymasterSignatureMark } from '../../core/evm/entry-point/paymaster-signature.ts';
import { toUserOperation06 } from '../../core/evm/entry-point/v0.6.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { arbitraryAddress, arbitraryHex, arbitraryOperation } from '../support/arbitrary/arbitrary-operation.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';

let devnet: Devnet;
beforeAll(async () => {
  devnet = await leaseDevnet();
});
afterAll(() => devnet.close());

/** What the EntryPoint itself says. */
function hashOnChain({ operation, paymasterAndData, entryPoint }: OperationToHash): Promise<Hex> {
  if (operation.entryPointVersion === '0.6') {
    const args = [toUserOperation06(operation, paymasterAndData)] as const;
    return devnet.client.readContract({
      address: entryPoint,
      abi: entryPoint06Abi,
      functionName: 'getUserOpHash',
      args,
    });
  }
  const args = [packUserOperation(operation, paymasterAndData)] as const;
  return devnet.client.readContract({ address: entryPoint, abi: entryPoint07Abi, functionName: 'getUserOpHash', args });
}

describe.each(entryPointVersions)('userOpHash of EntryPoint %s', (version) => {
  test('is what the EntryPoint computes, for any operation', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryOperation(version),
        arbitraryHex({ maxLength: 250 }),
        async (operation, paymasterAndData) => {
          const input = {
            operation,
            paymasterAndData,
            entryPoint: devnet.entryPoints[version],
            chainId: devnet.chainId,
          };
          expect(userOperationHash(input)).toBe(await hashOnChain(input));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('does not depend on the signature of the account', () => {
    fc.assert(
      fc.property(arbitraryOperation(version), arbitraryHex({ maxLength: 70 }), (operation, signature) => {
        const location = { paymasterAndData: '0x', entryPoint: devnet.entryPoints[version], chainId: 1 } as const;
        expect(userOperationHash({ operation: { ...operation, signature }, ...location })).toBe(
          userOperationHash({ operation, ...location }),
        );
      }),
      { numRuns: 20 },
    );
  });
});

describe('a signature of the paymaster at the end of its data', () => {
  const mark = paymasterSignatureMark;

  /** The hash that both come to; undefined where the EntryPoint takes no such data. */
  async function hashOf09(paymasterAndData: Hex): Promise<Hex | undefined> {
    const [operation] = fc.sample(arbitraryOperation('0.9'), { numRuns: 1, seed: 9 });
    if (operation === undefined) throw new Error('no sample');
    const location = { paymasterAndData, entryPoint: devnet.entryPoints['0.9'], chainId: devnet.chainId };
    const onChain = await hashOnChain({ operation, ...location }).catch(() => undefined);
    if (onChain === undefined) expect(() => userOperationHash({ operation, ...location })).toThrow(RangeError);
    else expect(userOperationHash({ operation, ...location })).toBe(onChain);
    return onChain;
  }

  test('is no part of the hash of 0.9, whatever it says; that there is one is', async () => {
    const head: Hex = `0x${'ab'.repeat(70)}`;
    const one = await hashOf09(appendPaymasterSignature(head, `0x${'11'.repeat(65)}`));
    expect(await hashOf09(appendPaymasterSignature(head, `0x${'22'.repeat(80)}`))).toBe(one);
    expect(await hashOf09(head)).not.toBe(one);
    expect(await hashOf09(appendPaymasterSignature(`${head}01`, `0x${'11'.repeat(65)}`))).not.toBe(one);
  });

  test('is found where the EntryPoint finds it, also in data that plays with its length', async () => {
    const data = fc.array(fc.constantFrom('00', '01', '12', '13', '41', 'ff', mark.slice(2)), { maxLength: 90 });
    await fc.assert(
      fc.asyncProperty(data, fc.nat(90), async (bytes, length) => {
        await hashOf09(`0x${bytes.join('')}${length.toString(16).padStart(4, '0')}${mark.slice(2)}`);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the EIP-7702 marker in initCode', () => {
  const longMarker: Hex = `0x7702${'00'.repeat(18)}`;

  async function expectDelegateInHash(sender: Address, delegate: Address, initCode: Hex) {
    await devnet.client.setCode({ address: sender, bytecode: concatHex(['0xef0100', delegate]) });
    const [operation] = fc.sample(arbitraryOperation('0.8'), 1);
    if (operation === undefined) throw new Error('no sample');
    const input = {
      operation: { ...operation, sender, initCode, eip7702Delegate: delegate },
      paymasterAndData: '0x',
      entryPoint: devnet.entryPoints['0.8'],
      chainId: devnet.chainId,
    } as const;
    expect(userOperationHash(input)).toBe(await hashOnChain(input));
  }

  test('is replaced by the delegate of the sender', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryAddress,
        arbitraryAddress,
        arbitraryHex({ maxLength: 40 }),
        async (sender, delegate, data) => {
          await expectDelegateInHash(sender, delegate, '0x7702');
          await expectDelegateInHash(sender, delegate, concatHex([longMarker, data]));
        },
      ),
      { numRuns: 5 },
    );
  });

  test('cannot be hashed without the delegate', () => {
    const [operation] = fc.sample(arbitraryOperation('0.8'), 1);
    if (operation === undefined) throw new Error('no sample');
    const location = { paymasterAndData: '0x', entryPoint: devnet.entryPoints['0.8'], chainId: 1 } as const;
    expect(() => userOperationHash({ operation: { ...operation, initCode: '0x7702' }, ...location })).toThrow(
      'delegate',
    );
  });

  test('means nothing to 0.7', async () => {
    const [operation] = fc.sample(arbitraryOperation('0.7'), 1);
    if (operation === undefined) throw new Error('no sample');
    const input = {
      operation: { ...operation, initCode: longMarker },
      paymasterAndData: '0x',
      entryPoint: devnet.entryPoints['0.7'],
      chainId: devnet.chainId,
    } as const;
    expect(userOperationHash(input)).toBe(await hashOnChain(input));
  });
});
