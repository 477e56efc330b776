import { numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { RawUserOperation } from '../../core/domain/user-operation.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { respondError, respondResult } from '../support/servers/json-rpc-server.ts';
import {
  apiKey,
  chainId,
  entryPoints,
  hashOf,
  type LabOptions,
  only,
  openBundlingLab,
  ownPaymaster,
  packedOperation,
  unpackedOperation,
} from './bundling-lab.ts';

const versions = ['0.6', '0.7', '0.8', '0.9'] as const;
const stranger = numberedAddress(0xbb);

function operationOf(version: EntryPointVersion, paymaster: `0x${string}` | 'none' = ownPaymaster) {
  return version === '0.6' ? unpackedOperation(paymaster) : packedOperation(paymaster);
}

async function send(
  options: LabOptions & {
    readonly userOperation?: RawUserOperation;
    readonly entryPoint?: string;
    readonly key?: string;
  },
) {
  const { version = '0.7', userOperation = operationOf(version), entryPoint = entryPoints[version] } = options;
  const lab = await openBundlingLab(only('eth_sendUserOperation', hashOf(version, userOperation)), options);
  const result = await lab.bundling.sendUserOperation({
    apiKey: options.key ?? apiKey,
    chainId,
    userOperation,
    entryPoint,
  });
  return { ...lab, result };
}

describe.each(versions)('an operation of EntryPoint %s that the paymaster has signed', (version) => {
  test('goes to the bundler, and its hash, its decision and one note come back', async () => {
    const userOperation = operationOf(version);
    const { result, asked, sent, looked, calls } = await send({ version, signed: { decisionId: 'decision' } });
    const userOpHash = hashOf(version, userOperation);
    expect(result).toEqual({ ok: true, value: { userOperationHash: userOpHash, decisionId: 'decision' } });
    expect(asked().map(({ method }) => method)).toEqual(['eth_sendUserOperation']);
    const [operation, entryPoint] = asked()[0]?.params ?? [];
    expect(entryPoint).toBe(entryPoints[version]);
    expect(operation).toMatchObject({ sender: userOperation.sender, signature: userOperation.signature });
    expect(sent).toEqual([{ chainId, entryPoint: entryPoints[version], userOpHash, paymasterId: expect.any(String) }]);
    expect(looked).toMatchObject([{ chainId, contract: ownPaymaster, paymasterId: `paymaster of ${apiKey}` }]);
    expect(calls).toEqual([['sendUserOperation', 'answered']]);
  });

  test('is told to be one by what it carries: operation and paymaster data as the EntryPoint gets them', async () => {
    const { looked } = await send({ version, signed: {} });
    const data = looked[0]?.operation.paymasterAndData.toLowerCase() ?? '';
    const limits = version === '0.6' ? '' : `${'7530'.padStart(32, '0')}${'1'.padStart(32, '0')}`;
    expect(data).toBe(`${ownPaymaster.toLowerCase()}${limits}${'11'.repeat(12)}${'22'.repeat(65)}`);
  });
});

describe.each(versions)('OWN at EntryPoint %s', (version) => {
  test.each([
    ['another paymaster’s operation', operationOf(version, stranger), 0],
    ['an operation that pays for itself', operationOf(version, 'none'), 0],
    ['an operation with this paymaster that it has not signed', operationOf(version), 1],
  ])('refuses %s and does not ask the bundler', async (_, userOperation, looked) => {
    const lab = await send({ version, userOperation });
    expect(lab.result).toMatchObject({ ok: false, refusal: { reason: 'OPERATION_NOT_SIGNED' } });
    expect([lab.asked(), lab.sent, lab.looked.length]).toEqual([[], [], looked]);
    expect(lab.calls).toEqual([['sendUserOperation', 'denied']]);
  });

  test('refuses an operation for another EntryPoint of the chain', async () => {
    const entryPoint = entryPoints[version === '0.6' ? '0.7' : '0.6'];
    const { result, asked } = await send({ version, entryPoint, signed: {} });
    expect(result).toMatchObject({ refusal: { reason: 'ENTRY_POINT_NOT_SUPPORTED' } });
    expect(asked()).toEqual([]);
  });
});

describe('ANY', () => {
  test.each(versions)('takes operations of no paymaster and of others at EntryPoint %s', async (version) => {
    for (const paymaster of ['none', stranger] as const) {
      const userOperation = operationOf(version, paymaster);
      const { result, sent } = await send({ expose: 'ANY', version, userOperation });
      expect(result).toEqual({ ok: true, value: { userOperationHash: hashOf(version, userOperation) } });
      expect(sent.length).toBe(1);
    }
  });

  test('takes operations of the chain’s other EntryPoints, and of no EntryPoint that the chain does not have', async () => {
    const userOperation = unpackedOperation('none');
    const lab = await openBundlingLab(only('eth_sendUserOperation', hashOf('0.6', userOperation)), { expose: 'ANY' });
    const ask = (entryPoint: string) => lab.bundling.sendUserOperation({ apiKey, chainId, userOperation, entryPoint });
    expect(await ask(entryPoints['0.6'])).toMatchObject({ ok: true });
    expect(await ask(stranger)).toMatchObject({ refusal: { reason: 'ENTRY_POINT_NOT_SUPPORTED' } });
  });
});

test('an operation that the bundler has already is answered with its hash again', async () => {
  const userOperation = packedOperation();
  const lab = await openBundlingLab(
    (request, response) =>
      request.method === 'eth_getUserOperationByHash'
        ? respondResult(response, request, { userOperation: {}, entryPoint: entryPoints['0.7'] })
        : respondError(response, request, -32_602, 'already known'),
    { signed: {} },
  );
  const request = { apiKey, chainId, userOperation, entryPoint: entryPoints['0.7'] };
  const userOperationHash = hashOf('0.7', userOperation);
  expect(await lab.bundling.sendUserOperation(request)).toEqual({ ok: true, value: { userOperationHash } });
  expect(lab.asked()[1]?.params).toEqual([userOperationHash]);
  expect(lab.sent).toEqual([
    { chainId, entryPoint: entryPoints['0.7'], userOpHash: userOperationHash, paymasterId: expect.any(String) },
  ]);
});

test('the marker of EIP-7702 without an authorization is refused before the bundler gets it: alto ends by it', async () => {
  const userOperation = { ...packedOperation(), factory: '0x7702', factoryData: '0x' };
  const lab = await openBundlingLab(only('eth_sendUserOperation', '0x'), { version: '0.8', signed: {} });
  const request = { apiKey, chainId, userOperation, entryPoint: entryPoints['0.8'] };
  const refusal = { reason: 'INVALID_PARAMS', field: 'eip7702Auth' };
  expect(await lab.bundling.sendUserOperation(request)).toMatchObject({ refusal });
  expect(lab.asked()).toEqual([]);
});

test('a chain whose bundler is not exposed has no such method', async () => {
  const { result, asked } = await send({ expose: 'NONE', signed: {} });
  expect(result).toMatchObject({ refusal: { reason: 'BUNDLER_NOT_OFFERED' } });
  expect(asked()).toEqual([]);
});

test.each([
  ['an unknown apiKey', { key: 'unknown' }, 'UNAUTHORIZED'],
  ['an apiKey that does not allow the method', { methods: ['pm_getPaymasterData'] }, 'RPC_METHOD_NOT_ALLOWED'],
])('%s sends nothing', async (_, options, reason) => {
  const { result, asked } = await send({ signed: {}, ...options });
  expect(result).toMatchObject({ refusal: { reason } });
  expect(asked()).toEqual([]);
});

test.each(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const)(
  'an operation without %s is refused with the name of the field',
  async (field) => {
    const { [field]: _, ...userOperation } = packedOperation();
    const lab = await openBundlingLab(only('eth_sendUserOperation', '0x'), { signed: {} });
    const request = { apiKey, chainId, userOperation, entryPoint: entryPoints['0.7'] };
    const refusal = { reason: 'INVALID_PARAMS', field };
    expect(await lab.bundling.sendUserOperation(request)).toMatchObject({ refusal });
    expect(lab.asked()).toEqual([]);
  },
);

test('a signature of the paymaster that stands apart is sent apart, and does not change the hash (EntryPoint 0.9)', async () => {
  const apart = {
    ...packedOperation(),
    paymasterData: `0x${'11'.repeat(12)}`,
    paymasterSignature: `0x${'22'.repeat(65)}`,
  };
  const hash = hashOf('0.9', apart);
  const lab = await openBundlingLab(only('eth_sendUserOperation', hash), { version: '0.9', signed: {} });
  const request = { apiKey, chainId, userOperation: apart, entryPoint: entryPoints['0.9'] };
  expect(await lab.bundling.sendUserOperation(request)).toMatchObject({ value: { userOperationHash: hash } });
  expect(lab.asked()[0]?.params[0]).toMatchObject({
    paymasterData: apart.paymasterData,
    paymasterSignature: apart.paymasterSignature,
  });
  const trailer = `${numberToHex(65, { size: 2 }).slice(2)}22e325a297439656`;
  expect(lab.looked[0]?.operation.paymasterAndData.endsWith(`${'22'.repeat(65)}${trailer}`)).toBe(true);
});

test('the bundler gets the fields of an operation and nothing else that a client sends', async () => {
  const userOperation = { ...packedOperation(), isBoosted: true, permissions: { bundlerSponsorship: '0x1' } };
  const { asked } = await send({ userOperation: userOperation as RawUserOperation, signed: {} });
  expect(Object.keys(asked()[0]?.params[0] as object).sort()).toEqual([...Object.keys(packedOperation())].sort());
});
