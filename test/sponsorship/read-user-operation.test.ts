import { getAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { Eip7702MarkerForm, RawUserOperation } from '../../core/domain/user-operation.ts';
import { readUserOperation } from '../../core/sponsorship/identify/read-user-operation.ts';

const sender = getAddress('0x5a92a1d75cb1a9bcdc44c6fa4bbb1fb2db2eea3e');
const raw06: RawUserOperation = {
  sender: sender.toLowerCase(),
  nonce: '0x1a',
  initCode: '0x',
  callData: '0x1234',
  maxFeePerGas: '0x59682f00',
  maxPriorityFeePerGas: '1000000000',
  paymasterAndData: '0x',
};

function refusalOf(raw: RawUserOperation, version: EntryPointVersion = '0.6') {
  const read = readUserOperation(raw, version);
  if (read.ok) throw new Error('It was read.');
  return read.refusal;
}

describe('numbers of a user operation', () => {
  const forms = [
    ['hex', '0x1a'],
    ['hex with leading zeros', '0x0000001A'],
    ['decimal text', '26'],
  ] as const;
  test.each(forms)('are read from %s', (_, nonce) => {
    const read = readUserOperation({ ...raw06, nonce }, '0.6');
    expect(read.ok && read.value.operation.nonce).toBe(26n);
  });

  test('0x means absent', () => {
    const limits = { callGasLimit: '0x', verificationGasLimit: '0x00', preVerificationGas: '' };
    const read = readUserOperation({ ...raw06, ...limits }, '0.6');
    expect(read.ok && read.value.givenGas).toEqual({ verificationGasLimit: 0n });
  });

  test('nonces of 256 bits are exact', () => {
    const nonce = 2n ** 256n - 1n;
    const read = readUserOperation({ ...raw06, nonce: nonce.toString() }, '0.6');
    expect(read.ok && read.value.operation.nonce).toBe(nonce);
  });

  const malformed = ['-1', '1.5', '1e9', '0xzz', 'abc', ' 1', '0x1 ', 'NaN', '1'.repeat(79)];
  test.each(malformed)('%j is no number', (nonce) => {
    const message = expect.stringContaining('must be a number in hex or decimal');
    expect(refusalOf({ ...raw06, nonce })).toMatchObject({ reason: 'INVALID_PARAMS', field: 'nonce', message });
  });

  test.each(['callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxFeePerGas'] as const)(
    '%s above the 120 bits of the EntryPoint is out of range',
    (field) => {
      const largest = 2n ** 120n - 1n;
      expect(readUserOperation({ ...raw06, [field]: largest.toString() }, '0.6').ok).toBe(true);
      const message = `${field} is out of range`;
      expect(refusalOf({ ...raw06, [field]: (largest + 1n).toString() })).toMatchObject({ field, message });
    },
  );
});

describe('a field that is missing or wrong is named', () => {
  test.each(['sender', 'nonce', 'callData', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const)('%s missing', (field) => {
    const { [field]: _, ...rest } = raw06;
    expect(refusalOf(rest)).toMatchObject({ reason: 'INVALID_PARAMS', field });
  });

  test('a sender with a wrong checksum', () => {
    const wrong = sender.replace(/[a-f]/, (letter) => letter.toUpperCase());
    expect(refusalOf({ ...raw06, sender: wrong })).toMatchObject({
      field: 'sender',
      message: 'sender has a wrong checksum',
    });
  });

  test.each(['0x123', '1234', '0xzz', `0x${'00'.repeat(65_537)}`])('callData that is not bytes', (callData) => {
    expect(refusalOf({ ...raw06, callData })).toMatchObject({ reason: 'INVALID_PARAMS', field: 'callData' });
  });

  test('initCode too short for a factory', () => {
    expect(refusalOf({ ...raw06, initCode: '0x1234' }).field).toBe('initCode');
  });

  test.each(['0x7702', `0x7702${'00'.repeat(18)}`])('the EIP-7702 marker %s as factory for 0.7', (factory) => {
    const { initCode: _, paymasterAndData: __, ...raw07 } = raw06;
    expect(refusalOf({ ...raw07, factory, factoryData: '0x' }, '0.7')).toMatchObject({
      reason: 'INVALID_PARAMS',
      field: 'factory',
    });
  });

  test('the EIP-7702 marker in initCode', () => {
    const initCode = `0x7702${'00'.repeat(18)}abcd`;
    expect(refusalOf({ ...raw06, initCode })).toMatchObject({ reason: 'INVALID_PARAMS', field: 'initCode' });
  });

  test('a factory whose address only begins like the marker is none', () => {
    const initCode = `0x7702${'00'.repeat(17)}01`;
    const read = readUserOperation({ ...raw06, initCode }, '0.6');
    expect(read.ok && read.value.operation.initCode).toBe(initCode);
  });

  test('factoryData without a factory', () => {
    const { initCode: _, paymasterAndData: __, ...raw07 } = raw06;
    expect(refusalOf({ ...raw07, factoryData: '0x12' }, '0.7').field).toBe('factory');
  });

  test('a priority fee above the whole fee', () => {
    expect(refusalOf({ ...raw06, maxFeePerGas: '1', maxPriorityFeePerGas: '2' }).field).toBe('maxPriorityFeePerGas');
  });
});

describe('the shape decides the EntryPoint version', () => {
  test.each(['initCode', 'paymasterAndData'] as const)('%s is the form of 0.6', (field) => {
    const refusal = refusalOf({ ...raw06, [field]: `${sender}00` }, '0.7');
    expect(refusal).toMatchObject({ reason: 'ENTRY_POINT_NOT_SUPPORTED', field });
  });

  test.each(['factory', 'paymaster', 'paymasterVerificationGasLimit'] as const)('%s is the form of 0.7', (field) => {
    const refusal = refusalOf({ ...raw06, [field]: sender }, '0.6');
    expect(refusal).toMatchObject({ reason: 'ENTRY_POINT_NOT_SUPPORTED', field });
  });

  test.each(['0.6', '0.7'] as const)('with neither, the paymaster’s own version decides: %s', (version) => {
    const { initCode: _, paymasterAndData: __, ...neither } = raw06;
    const read = readUserOperation(neither, version);
    expect(read.ok && read.value.operation).toMatchObject({ entryPointVersion: version, initCode: '0x' });
  });

  test('factory and factoryData become the initCode', () => {
    const { initCode: _, paymasterAndData: __, ...neither } = raw06;
    const read = readUserOperation({ ...neither, factory: sender, factoryData: '0xABCD' }, '0.7');
    expect(read.ok && read.value.operation.initCode).toBe(`${sender.toLowerCase()}abcd`);
  });
});

describe('EIP-7702', () => {
  const { initCode: _, paymasterAndData: __, ...raw08 } = raw06;
  const marker = `0x7702${'00'.repeat(18)}`;
  const eip7702Auth = { address: sender, chainId: '0x7a69', nonce: '7' };

  function read(change: Partial<RawUserOperation>, version: EntryPointVersion = '0.8', markerForm?: Eip7702MarkerForm) {
    const result = readUserOperation({ ...raw08, ...change }, version, markerForm);
    if (!result.ok) throw new Error(result.refusal.message);
    return result.value.operation;
  }

  test.each(['0x7702', marker])('the marker %s keeps the bytes it was sent with', (factory) => {
    expect(read({ factory, factoryData: '0x' }).initCode).toBe(factory);
    expect(read({ factory }).initCode).toBe(factory);
  });

  test.each(['0x7702', marker])('the marker %s becomes 20 bytes where the bundlers pad it', (factory) => {
    expect(read({ factory }, '0.8', 'padded').initCode).toBe(marker);
    expect(read({ factory, factoryData: '0xABCD' }, '0.8', 'padded').initCode).toBe(`${marker}abcd`);
  });

  test('data follows a marker of 20 bytes, however it was sent: after two it would become part of an address', () => {
    expect(read({ factory: marker, factoryData: '0xABCD' }).initCode).toBe(`${marker}abcd`);
    expect(read({ factory: '0x7702', factoryData: '0xABCD' }).initCode).toBe(`${marker}abcd`);
  });

  test('an authorization without a signature is read with an empty one', () => {
    expect(read({ eip7702Auth })).toMatchObject({
      initCode: '0x',
      eip7702Auth: { address: sender, chainId: 0x7a69n, nonce: 7n, r: 0n, s: 0n, yParity: 0 },
    });
  });

  test('numbers of an authorization are read in every form', () => {
    const signature = { r: '0x00ff', s: '255', yParity: `0x${'00'.repeat(31)}01` };
    const forms = { ...eip7702Auth, chainId: '0', nonce: '0x00', ...signature };
    expect(read({ factory: '0x7702', eip7702Auth: forms }).eip7702Auth).toEqual({
      address: sender,
      chainId: 0n,
      nonce: 0n,
      r: 255n,
      s: 255n,
      yParity: 1,
    });
  });

  test.each(['0.6', '0.7', '0.8'] as const)(
    'an authorization without the marker is taken with EntryPoint %s',
    (version) => {
      expect(read({ eip7702Auth }, version).eip7702Auth?.address).toBe(sender);
    },
  );

  test('a factory that deploys and an authorization exclude each other', () => {
    const raw = { ...raw08, factory: sender, factoryData: '0x12', eip7702Auth };
    expect(refusalOf(raw, '0.8')).toMatchObject({ reason: 'INVALID_PARAMS', field: 'eip7702Auth' });
  });

  const largest = 2n ** 256n - 1n;
  test.each([
    ['nonce', 2n ** 64n - 2n],
    ['chainId', largest],
    ['r', largest],
    ['s', largest],
    ['yParity', 1n],
  ] as const)('%s is at most what EIP-7702 takes', (field, max) => {
    const withValue = (value: bigint) => ({ eip7702Auth: { ...eip7702Auth, [field]: value.toString() } });
    expect(read(withValue(max)).eip7702Auth).toBeDefined();
    expect(refusalOf({ ...raw08, ...withValue(max + 1n) }, '0.8').field).toBe(`eip7702Auth.${field}`);
  });
});
