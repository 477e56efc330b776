import {
  concatHex,
  encodeAbiParameters,
  encodeErrorResult,
  type Hex,
  padHex,
  parseAbi,
  size,
  stringToHex,
  toFunctionSelector,
} from 'viem';
import { describe, expect, test } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { readCustomErrors } from '../../../core/evm/abi/custom-errors.ts';
import {
  describeRevert,
  executionReverted,
  readEntryPointFailure,
  revertDetails,
  withNamedRevert,
} from '../../../core/gas/failures/decode-failure.ts';

const abi = parseAbi([
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  'error Error(string message)',
  'error Panic(uint256 code)',
  'error PostOpReverted(bytes returnData)',
  'error ExecuteError(uint256 index, bytes reason)',
]);
const failedOp = (reason: string) => encodeErrorResult({ abi, errorName: 'FailedOp', args: [0n, reason] });
const failedOpWith = (reason: string, inner: Hex) =>
  encodeErrorResult({ abi, errorName: 'FailedOpWithRevert', args: [0n, reason, inner] });
const error = (message: string) => encodeErrorResult({ abi, errorName: 'Error', args: [message] });
const panic = encodeErrorResult({ abi, errorName: 'Panic', args: [0x11n] });
const postOpReverted = (inner: Hex) => encodeErrorResult({ abi, errorName: 'PostOpReverted', args: [inner] });
const executeError = (inner: Hex) => encodeErrorResult({ abi, errorName: 'ExecuteError', args: [3n, inner] });

const refusedJson = JSON.stringify([{ type: 'error', name: 'Refused', inputs: [{ type: 'string' }] }]);
const known = readCustomErrors(refusedJson);
const refusedSelector = toFunctionSelector('Refused(string)');
const refused = (why: string) => concatHex([refusedSelector, encodeAbiParameters([{ type: 'string' }], [why])]);

describe('what an EntryPoint reverted with', () => {
  test.each<[string, Hex, EntryPointVersion, string, Readonly<Record<string, string>>]>([
    [
      'a code without a revert behind it',
      failedOp("AA21 didn't pay prefund"),
      '0.7',
      'The account did not pay the prefund and the operation has no paymaster. (AA21)',
      { aaCode: 'AA21' },
    ],
    [
      'a code with the reason in its text, as 0.6 has it',
      failedOp('AA23 reverted: the vault\nis closed'),
      '0.6',
      ' (AA23, revert Error("the vault is closed"))',
      { aaCode: 'AA23', revert: 'Error("the vault is closed")' },
    ],
    [
      'a code with revert data next to it',
      failedOpWith('AA23 reverted', error('no')),
      '0.7',
      ' (AA23, revert Error("no"))',
      { aaCode: 'AA23', revert: 'Error("no")' },
    ],
    [
      'a code with a custom error next to it',
      failedOpWith('AA33 reverted', refusedSelector),
      '0.8',
      `(AA33, revert ${refusedSelector})`,
      { aaCode: 'AA33', revert: refusedSelector, revertData: refusedSelector },
    ],
    [
      'a plain require of the EntryPoint',
      error('AA94 gas values overflow'),
      '0.7',
      'A gas limit or fee is larger than the EntryPoint accepts (120 bits). (AA94)',
      { aaCode: 'AA94' },
    ],
    [
      'a require without a code',
      error('out of luck'),
      '0.7',
      'The EntryPoint does not accept the operation (revert Error("out of luck")).',
      { revert: 'Error("out of luck")' },
    ],
    [
      'a panic',
      panic,
      '0.7',
      'The EntryPoint does not accept the operation (revert Panic(0x11)).',
      { revert: 'Panic(0x11)' },
    ],
    ['nothing', '0x', '0.7', 'The EntryPoint does not accept the operation (revert none).', { revert: 'none' }],
    [
      'something unknown',
      '0xdeadbeef',
      '0.7',
      'The EntryPoint does not accept the operation (revert 0xdeadbeef).',
      { revert: '0xdeadbeef', revertData: '0xdeadbeef' },
    ],
  ])('is said of %s', (_, data, version, message, details) => {
    const { refusal } = readEntryPointFailure(data, version);
    expect(refusal.reason).toBe('ESTIMATION_FAILED');
    expect(refusal.message).toContain(message);
    expect(refusal.details).toEqual(details);
  });

  test.each([
    ['AA10', 'initCode', 'factory'],
    ['AA21', 'paymasterAndData', 'paymaster'],
    ['AA25', 'nonce', 'nonce'],
    ['AA51', 'preVerificationGas', 'preVerificationGas'],
    ['AA77', 'sender', 'sender'],
  ])('names the field to check, as the operation has it: %s', (code, field06, field07) => {
    const fieldOf = (version: EntryPointVersion) =>
      readEntryPointFailure(failedOp(`${code} some words`), version).refusal.field;
    expect([fieldOf('0.6'), fieldOf('0.7'), fieldOf('0.9')]).toEqual([field06, field07, field07]);
  });

  test.each(['AA10', 'AA13', 'AA14', 'AA15', 'AA20', 'AA97', 'AA99'])(
    '%s speaks of no field that the operation’s format does not have',
    (code) => {
      const messageOf = (version: EntryPointVersion) =>
        readEntryPointFailure(failedOp(`${code} some words`), version).refusal.message;
      expect(messageOf('0.7')).not.toContain('initCode');
      expect(messageOf('0.6')).not.toContain('factoryData');
    },
  );

  test('without a code is about the sender', () => {
    expect(readEntryPointFailure('0x', '0.7')).toMatchObject({ refusal: { field: 'sender' } });
  });

  test.each<[EntryPointVersion, string]>([
    ['0.6', 'verificationGasLimit'],
    ['0.7', 'paymasterVerificationGasLimit'],
    ['0.8', 'paymasterVerificationGasLimit'],
  ])('names the limit that may be short: with %s of the paymaster the %s', (version, shortLimit) => {
    expect(readEntryPointFailure(failedOpWith('AA33 reverted', '0x'), version)).toMatchObject({ shortLimit });
  });

  test.each(entryPointVersions)('names preVerificationGas where the limits do not pay for it, with %s', (version) => {
    expect(readEntryPointFailure(failedOp('AA51 prefund below actualGasCost'), version)).toMatchObject({
      shortLimit: 'preVerificationGas',
    });
  });

  test.each(entryPointVersions)('names the limit of a code of the account, with %s', (version) => {
    expect(readEntryPointFailure(failedOp('AA13 initCode failed or OOG'), version)).toMatchObject({
      shortLimit: 'verificationGasLimit',
    });
  });

  test.each([
    ['a reason in its text', failedOp('AA33 reverted: not today')],
    ['revert data next to it', failedOpWith('AA33 reverted', error('not today'))],
    ['a few bytes next to it', failedOpWith('AA33 reverted', '0x01')],
    ['a code that no limit cures', failedOp('AA25 invalid account nonce')],
  ])('has no limit to raise where there is %s', (_, data) => {
    for (const version of entryPointVersions) {
      expect(readEntryPointFailure(data, version)).not.toHaveProperty('shortLimit');
    }
  });
});

describe('a revert in short', () => {
  test('is read inside what an account or an EntryPoint wraps round it', () => {
    expect(describeRevert(postOpReverted(error('no')))).toBe('PostOpReverted(Error("no"))');
    expect(describeRevert(executeError(refused('me')), known)).toBe('ExecuteError(3, Refused("me"))');
    expect(describeRevert(executeError(panic))).toBe('ExecuteError(3, Panic(0x11))');
  });

  test.each<[string, Hex, string]>([
    ['nothing', '0x', '0x'],
    ['an unknown selector', '0xdeadbeef', '0xdeadbeef'],
    ['as many bytes as are shown', padHex('0xab', { size: 32 }), padHex('0xab', { size: 32 })],
    ['a byte more', padHex('0xab', { size: 33 }), `0x${'00'.repeat(32)}…`],
    ['an unknown error', `0xdeadbeef${'11'.repeat(32)}`, `0xdeadbeef${'11'.repeat(28)}…`],
  ])('shows wrapped bytes as they are, cut at 32: %s', (_, inner, shown) => {
    expect(describeRevert(executeError(inner))).toBe(`ExecuteError(3, ${shown})`);
  });

  test('is read three errors deep', () => {
    const wrapped = (times: number): Hex => (times === 0 ? error('no') : postOpReverted(wrapped(times - 1)));
    expect(describeRevert(wrapped(3))).toBe('PostOpReverted(PostOpReverted(PostOpReverted(Error("no"))))');
    expect(describeRevert(wrapped(5))).toMatch(/^(PostOpReverted\(){4}0x[0-9a-f]{64}…\){4}$/);
  });

  test('quotes a text in one line of printable ASCII', () => {
    expect(describeRevert(error('a ~b!\r\n\u007fc – d'))).toBe('Error("a ~b! c   d")');
  });

  test('quotes no more than 200 characters', () => {
    expect(describeRevert(error('x'.repeat(200)))).toBe(`Error("${'x'.repeat(200)}")`);
    expect(describeRevert(error('x'.repeat(201)))).toBe(`Error("${'x'.repeat(200)}")`);
  });

  test('is not decoded when it is larger than any sensible one', () => {
    expect(describeRevert(error('x'.repeat(65_000)))).toMatch(/^Error\(/);
    expect(describeRevert(error('x'.repeat(66_000)))).toBe(toFunctionSelector('Error(string)'));
  });

  test('is none without a whole selector', () => {
    expect(describeRevert('0xdeadbe')).toBe('none');
    expect(revertDetails('0xdeadbe')).toEqual({ revert: 'none' });
  });
});

describe('the details of a revert', () => {
  test.each([error('no'), panic])('have no data where the text says it all', (data) => {
    expect(Object.keys(revertDetails(data))).toEqual(['revert']);
  });

  test('have data where an error is inside of another one, which someone may know better', () => {
    const data = postOpReverted(error('no'));
    expect(revertDetails(data)).toEqual({ revert: 'PostOpReverted(Error("no"))', revertData: data });
  });

  test('have the data of a custom error, of a long one the selector alone', () => {
    const longest: Hex = `0xdeadbeef${'11'.repeat(1_024)}`;
    expect(revertDetails(longest)).toEqual({ revert: '0xdeadbeef', revertData: longest });
    expect(revertDetails(`${longest}11`)).toEqual({ revert: '0xdeadbeef', revertData: '0xdeadbeef' });
  });
});

describe('a refusal for a revert', () => {
  test('says how the call reverts', () => {
    expect(executionReverted(error('no'))).toEqual({
      reason: 'ESTIMATION_FAILED',
      message: 'The operation\'s call reverts with Error("no").',
      field: 'callData',
      details: { revert: 'Error("no")' },
    });
    expect(executionReverted('0x').message).toBe(
      "The operation's call reverts without a reason, or needs more gas than is allowed.",
    );
  });

  test('is given the name of its custom error in text and details, whatever the error says', () => {
    const data = refused('$& and $1');
    const named = withNamedRevert(executionReverted(data), known);
    expect(named).toEqual({
      reason: 'ESTIMATION_FAILED',
      message: 'The operation\'s call reverts with Refused("$& and $1").',
      field: 'callData',
      details: { revert: 'Refused("$& and $1")', revertData: data },
    });
  });

  test('stays as it is where nothing is to be named', () => {
    const unnamed = executionReverted(error('no'));
    expect(withNamedRevert(unnamed, known)).toEqual(unnamed);
    const other = { reason: 'CHAIN_UNAVAILABLE', message: 'The node is away.' } as const;
    expect(withNamedRevert(other, known)).toEqual(other);
    const strange = { ...other, details: { revert: 'away', revertData: stringToHex('x').slice(2) } };
    expect(withNamedRevert(strange, known)).toEqual(strange);
  });
});

test('an inner revert that is cut off is not taken for another one', () => {
  const inner = error('no');
  const cut: Hex = `0x${inner.slice(2, -2)}`;
  expect(size(cut)).toBe(size(inner) - 1);
  expect(describeRevert(postOpReverted(cut))).toBe(`PostOpReverted(${cut.slice(0, 66)}…)`);
});
