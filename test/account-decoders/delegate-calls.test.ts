import { type Address, concatHex, encodeFunctionData, encodePacked, type Hex, parseAbi, size, slice } from 'viem';
import { describe, expect, test } from 'vitest';
import { findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { encodeMultiSend, type FullCall, multiSendAddress } from '../support/accounts/account-kinds.ts';

const abi = parseAbi([
  'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
  'function execute(address to, uint256 value, bytes data, uint8 operation)',
  'function executeDelegateCall(address to, bytes data)',
  'function multiSend(bytes transactions)',
]);
const erc7579Abi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)']);
const target: Address = `0x${'ab'.repeat(20)}`;
const call: FullCall = { target, value: 0n, data: '0x12345678' };

function refusal(account: string, version: string, callData: Hex, entryPointVersion: '0.6' | '0.7' = '0.6') {
  const decoded = findAccountDecoder(account, version)?.decode(callData, entryPointVersion);
  return decoded?.understood === false ? decoded.why : 'understood';
}

function safeCallData(to: Address, data: Hex, operation: number, value = 0n): Hex {
  return encodeFunctionData({ abi, functionName: 'executeUserOp', args: [to, value, data, operation] });
}

describe('Safe', () => {
  test('delegates to the canonical MultiSend contracts only', () => {
    const batch = encodeMultiSend([call]);
    expect(refusal('SAFE', '1.4.1', safeCallData(multiSendAddress, batch, 1))).toBe('understood');
    expect(refusal('SAFE', '1.4.1', safeCallData('0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526', batch, 1))).toBe(
      'understood',
    );
    expect(refusal('SAFE', '1.4.1', safeCallData(target, batch, 1))).toContain('delegate call');
    expect(refusal('SAFE', '1.4.1', safeCallData(multiSendAddress, batch, 2))).toContain('delegate call');
  });

  test('a plain call to MultiSend is a call like any other', () => {
    const decoded = findAccountDecoder('SAFE', '1.4.1')?.decode(
      safeCallData(multiSendAddress, encodeMultiSend([call]), 0),
      '0.7',
    );
    expect(decoded).toEqual({
      understood: true,
      calls: [{ target: multiSendAddress, value: 0n, selector: '0x8d80ff0a', data: encodeMultiSend([call]) }],
    });
  });

  test('a delegate call inside a batch spoils it', () => {
    expect(refusal('SAFE', '1.4.1', safeCallData(multiSendAddress, encodeMultiSend([call], 1), 1))).toContain(
      'delegate call',
    );
  });

  test('a MultiSend that is asked for something else is not understood', () => {
    expect(refusal('SAFE', '1.4.1', safeCallData(multiSendAddress, '0x12345678', 1))).toContain('multiSend');
    expect(refusal('SAFE', '1.4.1', safeCallData(multiSendAddress, '0x', 1))).toContain('multiSend');
  });

  /** A transaction of a batch that says it has so many bytes of data, and has four. */
  const packed = (length: bigint) =>
    encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes4'], [0, target, 0n, length, '0x12345678']);
  const whyOf = (transactions: Hex) => {
    const args = [transactions] as const;
    const data = encodeFunctionData({ abi, functionName: 'multiSend', args });
    return refusal('SAFE', '1.4.1', safeCallData(multiSendAddress, data, 1));
  };

  test.each<[string, Hex]>([
    ['a byte more than there are', packed(5n)],
    ['more than any number of bytes', packed(2n ** 256n - 1n)],
    ['a byte more, as the second of two', concatHex([packed(4n), packed(5n)])],
    ['hardly more than the first one has, as the second of two', concatHex([packed(4n), packed(100n)])],
    ['no end to its head', slice(packed(4n), 0, 84)],
    ['hardly any head', '0x00'],
    ['no end to the head of its second one', concatHex([packed(4n), slice(packed(4n), 0, 84)])],
  ])('a batch whose transaction has %s is not understood', (_, transactions) => {
    expect(whyOf(packed(4n))).toBe('understood');
    expect(whyOf(transactions)).toBe('the call data ends too early');
  });

  test('a batch of empty transactions as long as call data may be is refused at the 101st', () => {
    const many = Array.from({ length: 700 }, (): FullCall => ({ ...call, data: '0x' }));
    const callData = safeCallData(multiSendAddress, encodeMultiSend(many), 1);
    expect(size(callData)).toBeGreaterThan(50_000);
    expect(refusal('SAFE', '1.4.1', callData)).toBe('there are more than 100 calls');
  });
});

test('Kernel 2 makes plain calls only', () => {
  const args = [target, 0n, '0x12345678', 1] as const;
  expect(refusal('KERNEL', '2.4', encodeFunctionData({ abi, functionName: 'execute', args }))).toContain(
    'delegate call',
  );
  const direct = encodeFunctionData({ abi, functionName: 'executeDelegateCall', args: [target, '0x12345678'] });
  expect(refusal('KERNEL', '2.4', direct)).toContain('not known');
});

test.each([
  ['a delegate call', '0xff'],
  ['a static call', '0xfe'],
  ['an unknown call type', '0x02'],
  ['an unknown way to revert', '0x0002'],
  ['a mode selector', '0x00000000000001'],
  ['a mode payload', `0x${'00'.repeat(31)}01`],
])('ERC-7579: %s is not understood', (_, modeStart) => {
  const mode = `0x${modeStart.slice(2).padEnd(64, '0')}` as const;
  const args = [mode, `${target}${'00'.repeat(32)}12345678`] as const;
  expect(refusal('ERC7579', '1.0.0', encodeFunctionData({ abi: erc7579Abi, args }), '0.7')).toContain('execution mode');
});

test('ERC-7579: trying every call is as good as reverting with the first that fails', () => {
  const args = [`0x0001${'00'.repeat(30)}`, `${target}${'00'.repeat(32)}12345678`] as const;
  expect(refusal('ERC7579', '1.0.0', encodeFunctionData({ abi: erc7579Abi, args }), '0.7')).toBe('understood');
});
