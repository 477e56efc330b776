import { SafeAccountV0_3_0 } from 'abstractionkit';
import fc from 'fast-check';
import { concat, type Hex, size, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { accountDecoders, detectAccount, findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { type AccountMethod, accountMethods, seenAs } from '../support/accounts/account-kinds.ts';
import { arbitraryCall } from './arbitrary-call.ts';

const prefix = '0x5afe00';
const identifierOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes - size(prefix), maxLength: bytes - size(prefix) })
    .map((rest) => concat([prefix, toHex(rest)]));
const identifiers = fc.constantFrom(16, 32, 50).chain(identifierOf);

function decode({ account, version, entryPointVersion }: AccountMethod, callData: Hex) {
  const decoder = findAccountDecoder(account, version);
  if (decoder === undefined) throw new Error(`no decoder for ${account} ${version}`);
  return decoder.decode(callData, entryPointVersion);
}

const callsOf = (kind: AccountMethod) =>
  fc.array(arbitraryCall(kind), { minLength: 1, maxLength: Math.min(kind.maxCalls, 4) });

describe.each(accountMethods.filter(({ account }) => account === 'SAFE'))(
  '$account $version $method on EntryPoint $entryPointVersion',
  (kind) => {
    test('reads the same calls before one identifier, which attributes the operation', () => {
      fc.assert(
        fc.property(callsOf(kind), identifiers, (made, identifier) => {
          const callData = concat([kind.encode(made), identifier]);
          const attribution = { bytes: size(identifier), codes: [identifier.slice(2)] };
          const expected = { understood: true, calls: made.map(seenAs), attribution };
          expect(decode(kind, callData)).toEqual(expected);
          expect(detectAccount(accountDecoders, callData, kind.entryPointVersion)).toEqual(expected);
        }),
        { numRuns: 30 },
      );
    });

    test('reads nothing before two identifiers, or before one of another size or version', () => {
      const others = fc.oneof(
        fc.tuple(identifierOf(32), identifiers).map(concat),
        fc
          .integer({ min: 4, max: 120 })
          .filter((bytes) => ![16, 32, 50].includes(bytes))
          .chain(identifierOf),
        identifiers.map((identifier) => identifier.replace(prefix, '0x5afe01') as Hex),
      );
      fc.assert(
        fc.property(callsOf(kind), others, (made, behind) => {
          expect(decode(kind, concat([kind.encode(made), behind])).understood).toBe(false);
        }),
        { numRuns: 60 },
      );
    });
  },
);

test.each(accountMethods.filter(({ account }) => account !== 'SAFE'))(
  '$account $version $method on EntryPoint $entryPointVersion is not read before an identifier of a Safe',
  (kind) => {
    fc.assert(
      fc.property(callsOf(kind), identifiers, (made, identifier) => {
        expect(decode(kind, concat([kind.encode(made), identifier])).understood).toBe(false);
      }),
      { numRuns: 5 },
    );
  },
);

test('the identifier that abstractionkit writes is one', () => {
  const owner = `0x${'ab'.repeat(20)}`;
  const account = SafeAccountV0_3_0.initializeNewAccount([owner], { onChainIdentifierParams: { project: 'Example' } });
  const identifier: Hex = `0x${account.onChainIdentifier}`;
  const [kind] = accountMethods.filter(({ account, version }) => account === 'SAFE' && version === '1.4.1');
  if (kind === undefined) throw new Error('The list has a Safe.');
  const callData = concat([kind.encode([{ target: `0x${'cd'.repeat(20)}`, value: 0n, data: '0x' }]), identifier]);
  expect(decode(kind, callData)).toMatchObject({ understood: true, attribution: { bytes: 32 } });
});
