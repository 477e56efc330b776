import fc from 'fast-check';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { AccountDecoder, Decoded, InnerCall } from '../../core/evm/account-decoders/decoder.ts';
import { accountDecoders, detectAccount } from '../../core/evm/account-decoders/find-decoder.ts';
import { accountMethods, seenAs } from '../support/accounts/account-kinds.ts';
import { arbitraryHex } from '../support/arbitrary/arbitrary-operation.ts';
import { arbitraryCall } from './arbitrary-call.ts';

const target = `0x${'ab'.repeat(20)}` as const;
const other = `0x${'cd'.repeat(20)}` as const;

/** A kind of account that reads the same calls out of anything. */
function always(name: string, calls: readonly InnerCall[]): AccountDecoder {
  return { name, version: '1', entryPointVersions: [], forms: {}, decode: () => ({ understood: true, calls }) };
}

const never: AccountDecoder = {
  name: 'NEVER',
  version: '1',
  entryPointVersions: [],
  forms: {},
  decode: () => ({ understood: false, why: 'no' }),
};

function detect(decoders: readonly AccountDecoder[], callData: Hex = '0x12345678'): Decoded {
  return detectAccount(decoders, callData, '0.7');
}

describe.each(accountMethods)('$account $version $method on EntryPoint $entryPointVersion', (kind) => {
  test('its calls are read without its name', () => {
    const calls = fc.array(arbitraryCall(kind), { minLength: 1, maxLength: Math.min(kind.maxCalls, 5) });
    fc.assert(
      fc.property(calls, (made) => {
        const detected = detectAccount(accountDecoders, kind.encode(made), kind.entryPointVersion);
        expect(detected).toEqual({ understood: true, calls: made.map(seenAs) });
      }),
      { numRuns: 30 },
    );
  });
});

test('call data that no kind of account understands is not understood', () => {
  const bytes = fc.oneof(fc.constant<Hex>('0x'), arbitraryHex({ maxLength: 200 }));
  fc.assert(
    fc.property(bytes, fc.constantFrom(...entryPointVersions), (callData, version) => {
      const selectors = accountMethods.map((kind) => kind.encode([{ target, value: 0n, data: '0x' }]).slice(0, 10));
      fc.pre(!selectors.includes(callData.slice(0, 10)));
      const why =
        callData === '0x'
          ? 'it is empty'
          : callData.length < 10
            ? 'it is too short to name a method'
            : `no account type for EntryPoint ${version} reads it as plain calls`;
      expect(detectAccount(accountDecoders, callData, version)).toEqual({ understood: false, why });
    }),
    { numRuns: 50 },
  );
});

test('a delegate call stays refused', () => {
  const abi = parseAbi(['function execute(address to, uint256 value, bytes data, uint8 operation)']);
  const callData = encodeFunctionData({ abi, args: [target, 0n, '0x', 1] });
  expect(detectAccount(accountDecoders, callData, '0.6').understood).toBe(false);
});

test("calls of another EntryPoint's accounts are not understood", () => {
  const callData = encodeFunctionData({
    abi: parseAbi(['function execute_ncC(address dest, uint256 value, bytes func)']),
    args: [target, 0n, '0x'],
  });
  expect(detectAccount(accountDecoders, callData, '0.6').understood).toBe(true);
  expect(detectAccount(accountDecoders, callData, '0.7').understood).toBe(false);
  expect(detectAccount(accountDecoders, callData, '0.8').understood).toBe(false);
});

describe('when several kinds understand', () => {
  const call: InnerCall = { target, value: 1n, selector: '0x11223344', data: '0x11223344aa' };

  test('the calls they agree on are taken, whatever the case of an address', () => {
    const inCapitals: InnerCall = { ...call, target: `0x${'AB'.repeat(20)}` };
    expect(detect([never, always('A', [call]), always('B', [inCapitals])]).understood).toBe(true);
  });

  test.each<[string, readonly InnerCall[]]>([
    ['another target', [{ ...call, target: other }]],
    ['another value', [{ ...call, value: 2n }]],
    ['another method', [{ ...call, selector: '0x55667788', data: '0x55667788aa' }]],
    ['another argument', [{ ...call, data: '0x11223344bb' }]],
    ['no method', [{ target, value: 1n, data: '0x' }]],
    ['one call more', [call, call]],
    ['no call', []],
  ])('%s makes it ambiguous, in either order', (_, calls) => {
    const why = 'it means different calls for different types of accounts';
    expect(detect([always('A', [call]), always('B', calls)])).toEqual({ understood: false, why });
    expect(detect([always('B', calls), always('A', [call]), never])).toEqual({ understood: false, why });
  });
});
