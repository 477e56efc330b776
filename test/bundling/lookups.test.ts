import { describe, expect, test } from 'vitest';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { respondError, respondResult } from '../support/servers/json-rpc-server.ts';
import {
  apiKey,
  chainId,
  entryPoints,
  type LabOptions,
  only,
  openBundlingLab,
  packedOperation,
  unpackedOperation,
} from './bundling-lab.ts';

const hash = `0x${'ab'.repeat(32)}`;
const transactionHash = `0x${'cd'.repeat(32)}`;

describe('an operation is looked up', () => {
  const lookUp = async (method: string, result: unknown, userOperationHash = hash) => {
    const { bundling } = await openBundlingLab(only(method, result));
    const view = method.endsWith('ByHash') ? 'operation' : 'receipt';
    return bundling.lookUpUserOperation({ apiKey, chainId, view, userOperationHash });
  };

  test.each([
    [
      'eth_getUserOperationReceipt',
      { userOpHash: hash.toUpperCase().replace('X', 'x'), logs: [], receipt: { transactionHash } },
    ],
    ['eth_getUserOperationByHash', { userOperation: {}, entryPoint: entryPoints['0.7'] }],
    ['eth_getUserOperationReceipt', null],
  ])('with %s, in the words of the bundler', async (method, result) => {
    expect(await lookUp(method, result)).toEqual({ ok: true, value: { json: JSON.stringify(result) } });
  });

  test.each([
    ['of another operation', { userOpHash: transactionHash }],
    ['that is a list', []],
    ['that is a text', 'landed'],
  ])('but not by an answer %s', async (_, result) => {
    const refusal = { reason: 'BUNDLER_UNAVAILABLE' };
    expect(await lookUp('eth_getUserOperationReceipt', result)).toMatchObject({ refusal });
  });

  test.each(['', '0x', 'latest', `${hash}00`])('but not by %j, which is no hash', async (sent) => {
    const refusal = { reason: 'INVALID_PARAMS', field: 'userOpHash' };
    expect(await lookUp('eth_getUserOperationReceipt', null, sent)).toMatchObject({ refusal });
  });
});

describe('the status of an operation', () => {
  const read = async (answers: Readonly<Record<string, unknown>>) => {
    const { bundling } = await openBundlingLab((request, response) =>
      request.method in answers
        ? respondResult(response, request, answers[request.method])
        : respondError(response, request, -32_601, 'Method not found'),
    );
    return bundling.readUserOperationStatus({ apiKey, chainId, userOperationHash: hash });
  };

  test('is what the bundler says', async () => {
    const status = { status: 'included', transactionHash };
    expect(await read({ pimlico_getUserOperationStatus: status })).toEqual({ ok: true, value: status });
  });

  test('is none that no one knows', async () => {
    const refusal = { reason: 'BUNDLER_UNAVAILABLE' };
    expect(await read({ pimlico_getUserOperationStatus: { status: 'paid' } })).toMatchObject({ refusal });
  });

  test.each([
    [{ status: 'included', transactionHash }, { userOpHash: hash, receipt: { transactionHash } }, null],
    [{ status: 'submitted', transactionHash }, null, { transactionHash }],
    [{ status: 'not_submitted' }, null, { transactionHash: null }],
    [{ status: 'not_found' }, null, null],
  ])(
    'is %j by the receipt and the operation, where the bundler has no method for it',
    async (value, receipt, operation) => {
      const answers = { eth_getUserOperationReceipt: receipt, eth_getUserOperationByHash: operation };
      expect(await read(answers)).toEqual({ ok: true, value });
    },
  );
});

describe('the EntryPoints', () => {
  const list = async (theirs: unknown, options: LabOptions = {}) => {
    const { bundling } = await openBundlingLab(only('eth_supportedEntryPoints', theirs), options);
    return bundling.listBundlerEntryPoints({ apiKey, chainId });
  };
  const all = Object.values(entryPoints);

  test('with OWN are the paymaster’s alone', async () => {
    expect(await list(all)).toEqual({ ok: true, value: [entryPoints['0.7']] });
  });

  test('with ANY are those of the chain that the bundler has, the paymaster’s first', async () => {
    const theirs = [entryPoints['0.6'].toLowerCase(), entryPoints['0.7'].toLowerCase(), numberedAddress(1)];
    expect(await list(theirs, { expose: 'ANY' })).toEqual({
      ok: true,
      value: [entryPoints['0.7'], entryPoints['0.6']],
    });
  });

  test('are none where the bundler does not have the paymaster’s', async () => {
    const refusal = { reason: 'ENTRY_POINT_NOT_SUPPORTED' };
    expect(await list([entryPoints['0.6']])).toMatchObject({ refusal });
  });

  test.each([[null], ['all'], [{}]])('are none where the bundler answers %j', async (theirs) => {
    expect(await list(theirs)).toMatchObject({ refusal: { reason: 'BUNDLER_UNAVAILABLE' } });
  });
});

describe('gas limits', () => {
  const limits = { callGasLimit: '0x1', verificationGasLimit: '0x2', preVerificationGas: '0x3' };
  const ofPaymaster = { paymasterVerificationGasLimit: '0x4', paymasterPostOpGasLimit: '0x5' };
  const estimate = async (
    answered: unknown,
    {
      stateOverrideJson,
      userOperation = packedOperation(),
      ...options
    }: LabOptions & {
      readonly stateOverrideJson?: string;
      readonly userOperation?: ReturnType<typeof packedOperation>;
    } = {},
  ) => {
    const lab = await openBundlingLab(only('eth_estimateUserOperationGas', answered), options);
    const entryPoint = entryPoints[options.version ?? '0.7'];
    const request = { apiKey, chainId, userOperation, entryPoint };
    const result = await lab.bundling.estimateUserOperationGas(
      stateOverrideJson === undefined ? request : { ...request, stateOverrideJson },
    );
    return { ...lab, result };
  };

  test('are those of the bundler, with the paymaster’s where it names them, and with nothing else', async () => {
    const { result } = await estimate({ ...limits, ...ofPaymaster, more: '0x6' });
    const read = { callGasLimit: 1n, verificationGasLimit: 2n, preVerificationGas: 3n };
    expect(result).toEqual({
      ok: true,
      value: { ...read, paymasterVerificationGasLimit: 4n, paymasterPostOpGasLimit: 5n },
    });
    expect((await estimate(limits)).result).toEqual({ ok: true, value: read });
  });

  test('are asked for with what a client leaves out as 0, and with a signature', async () => {
    const { sender, nonce, callData, paymaster, paymasterData } = packedOperation();
    const partial = { sender, nonce, callData, paymaster, paymasterData } as ReturnType<typeof packedOperation>;
    const { asked, result } = await estimate(limits, { userOperation: partial });
    expect(result.ok).toBe(true);
    expect(asked()[0]?.params[0]).toMatchObject({
      callGasLimit: '0x0',
      verificationGasLimit: '0x0',
      preVerificationGas: '0x0',
      maxFeePerGas: '0x0',
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    });
  });

  test('are asked for with the state that the client wants, if it is not too large', async () => {
    const override = { [numberedAddress(1)]: { balance: '0x1' } };
    const { asked } = await estimate(limits, { stateOverrideJson: JSON.stringify(override) });
    expect(asked()[0]?.params[2]).toEqual(override);
    const large = await estimate(limits, { stateOverrideJson: JSON.stringify({ code: 'f'.repeat(65_536) }) });
    expect(large.result).toMatchObject({ refusal: { reason: 'INVALID_PARAMS', field: 'stateOverride' } });
    expect(large.asked()).toEqual([]);
  });

  test.each([
    ['0.7', packedOperation],
    ['0.6', unpackedOperation],
  ] as const)('with OWN are not estimated for other paymasters at EntryPoint %s', async (version, operation) => {
    const userOperation = operation(numberedAddress(0xbb));
    const { result, asked } = await estimate(limits, { version, userOperation });
    expect(result).toMatchObject({ refusal: { reason: 'OPERATION_NOT_SIGNED' } });
    expect(asked()).toEqual([]);
    expect((await estimate(limits, { version, userOperation, expose: 'ANY' })).result.ok).toBe(true);
  });

  test.each([
    ['0.7', packedOperation],
    ['0.6', unpackedOperation],
  ] as const)('with OWN are estimated without a paymaster at EntryPoint %s', async (version, operation) => {
    expect((await estimate(limits, { version, userOperation: operation('none') })).result.ok).toBe(true);
  });

  test.each([
    [{ ...limits, callGasLimit: undefined }],
    [{ ...limits, callGasLimit: -1 }],
    [{ ...limits, callGasLimit: `0x${'f'.repeat(32)}` }],
    ['0x1'],
    [null],
  ])('are not taken of the answer %j', async (answered) => {
    expect((await estimate(answered)).result).toMatchObject({ refusal: { reason: 'BUNDLER_UNAVAILABLE' } });
  });
});
