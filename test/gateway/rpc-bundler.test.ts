import { describe, expect, test } from 'vitest';
import { bundlerMethodNames, gasPriceMethods } from '../../contract/rpc/bundler-methods.ts';
import { errorsShowInHttpStatus } from '../../contract/rpc/refusals.ts';
import type { BundledStatus } from '../../core/domain/bundling.ts';
import type { Core } from '../../core/domain/core.ts';
import { accept, refuse } from '../../core/domain/result/result.ts';
import { rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

type Body = { result?: unknown; error?: { code: number; message: string; data?: Record<string, unknown> } };

const hash = `0x${'ab'.repeat(32)}` as const;
const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';

async function call(core: Partial<Core>, method: string, params: readonly unknown[] = []) {
  const { url } = await startTestGateway({ core });
  const answer = await send(`${url}${rpcPath}`, 'POST', { json: { jsonrpc: '2.0', id: 1, method, params } });
  return { ...answer, body: answer.body as Body };
}

describe('an operation is sent', () => {
  test('with its fields and where it came from, and is answered with its hash and the decision in a header', async () => {
    const seen: unknown[] = [];
    const sendUserOperation: Core['sendUserOperation'] = async (request) => {
      seen.push(request);
      return accept({ userOperationHash: hash, decisionId: 'decision-1' });
    };
    const operation = { nonce: 1, callData: '0x', paymasterSignature: '0x22', more: true };
    const sent = [operation, entryPoint, { simulation_type: 'validation' }];
    const { status, body, headers } = await call({ sendUserOperation }, 'eth_sendUserOperation', sent);
    expect([status, body.result, headers['x-decision-id']]).toEqual([200, hash, 'decision-1']);
    expect(seen).toMatchObject([
      {
        entryPoint,
        userOperation: { nonce: '1', callData: '0x', paymasterSignature: '0x22' },
        arrival: { method: 'eth_sendUserOperation' },
        clientAddress: expect.any(String),
      },
    ]);
    expect(JSON.stringify(seen)).not.toContain('more');
  });

  test.each([
    ['an object', '{"paymaster":"0x01","reason":"theirs"}', { paymaster: '0x01', reason: 'BUNDLER_REFUSED' }],
    ['bytes', '"0x08c379a0"', { revertData: '0x08c379a0' }],
    ['a text', '"because"', { bundlerData: 'because' }],
    ['nothing', undefined, {}],
  ])(
    'and refused by the bundler with its code and message, and with %s as data next to ours',
    async (_, dataJson, data) => {
      const bundlerError = { code: -32_503, ...(dataJson === undefined ? {} : { dataJson }) };
      const message = 'AA22 expired';
      const details = { userOpHash: hash };
      const refusal = { reason: 'BUNDLER_REFUSED', message, details, bundlerError, decisionId: 'decision-1' } as const;
      const { status, body } = await call({ sendUserOperation: async () => refuse(refusal) }, 'eth_sendUserOperation', [
        {},
        entryPoint,
      ]);
      expect(status).toBe(200);
      expect(body.error).toMatchObject({ code: -32_503, message });
      const ours = { reason: 'BUNDLER_REFUSED', userOpHash: hash, decisionId: 'decision-1' };
      expect(body.error?.data).toEqual({ ...data, ...ours });
    },
  );
});

test('limits are estimated with the state that a client overrides, and written in hex', async () => {
  const seen: unknown[] = [];
  const estimateUserOperationGas: Core['estimateUserOperationGas'] = async (request) => {
    seen.push(request.stateOverrideJson);
    return accept({
      callGasLimit: 1n,
      verificationGasLimit: 255n,
      preVerificationGas: 3n,
      paymasterPostOpGasLimit: 0n,
    });
  };
  const ask = (...more: unknown[]) =>
    call({ estimateUserOperationGas }, 'eth_estimateUserOperationGas', [{}, entryPoint, ...more]);
  const { body } = await ask({ [entryPoint]: { balance: '0x1' } });
  expect(body.result).toEqual({
    callGasLimit: '0x1',
    verificationGasLimit: '0xff',
    preVerificationGas: '0x3',
    paymasterPostOpGasLimit: '0x0',
  });
  await ask();
  await ask(null);
  expect((await ask('latest')).body.error).toMatchObject({ code: -32_602, data: { field: 'params[2]' } });
  expect(seen).toEqual([`{"${entryPoint}":{"balance":"0x1"}}`, undefined, undefined]);
});

describe('prices', () => {
  const of = (fee: bigint) => ({ maxFeePerGas: fee, maxPriorityFeePerGas: fee / 2n });
  const prices = { slow: of(16n), standard: of(32n), fast: of(64n) };
  const written = { maxFeePerGas: '0x20', maxPriorityFeePerGas: '0x10' };
  const speeds = {
    slow: { maxFeePerGas: '0x10', maxPriorityFeePerGas: '0x8' },
    standard: written,
    fast: { maxFeePerGas: '0x40', maxPriorityFeePerGas: '0x20' },
  };
  const expected: Record<(typeof gasPriceMethods)[number]['method'], unknown> = {
    pimlico_getUserOperationGasPrice: speeds,
    zd_getUserOperationGasPrice: speeds,
    gas_getUserOperationGasPrice: speeds,
    skandha_getGasPrice: written,
    thirdweb_getUserOperationGasPrice: written,
    biconomy_getGasFeeValues: { ...written, ...speeds },
    rundler_maxPriorityFeePerGas: '0x10',
  };

  test.each(gasPriceMethods)('$method has the form of its maker', async ({ method, result }) => {
    const { body } = await call({ quoteGasPrices: async () => accept(prices) }, method);
    expect(body.result).toEqual(expected[method]);
    expect(result.parse(body.result)).toEqual(expected[method]);
  });
});

describe('an operation is looked up', () => {
  test.each([
    ['eth_getUserOperationReceipt', 'receipt'],
    ['eth_getUserOperationByHash', 'operation'],
  ])('by %s, in the words of the bundler', async (method, view) => {
    const lookUpUserOperation: Core['lookUpUserOperation'] = async (request) =>
      accept({ json: `{"view":"${request.view}"}` });
    expect((await call({ lookUpUserOperation }, method, [hash])).body.result).toEqual({ view });
  });

  test.each<[BundledStatus['status'], string]>([
    ['not_found', 'SUBMITTED'],
    ['not_submitted', 'SUBMITTED'],
    ['submitted', 'SUBMITTED'],
    ['included', 'CONFIRMED'],
    ['reverted', 'CONFIRMED'],
    ['failed', 'REJECTED'],
    ['rejected', 'REJECTED'],
  ])('for its status %s, which is %s at Biconomy', async (status, state) => {
    const readUserOperationStatus: Core['readUserOperationStatus'] = async () => accept({ status });
    const core = { readUserOperationStatus };
    const atPimlico = await call(core, 'pimlico_getUserOperationStatus', [hash]);
    expect(atPimlico.body.result).toEqual({ status, transactionHash: null });
    expect((await call(core, 'biconomy_getUserOperationStatus', [hash])).body.result).toEqual({ state });
  });
});

test('clients of bundlers expect their errors in a 200', () => {
  expect(bundlerMethodNames.length).toBe(14);
  expect(bundlerMethodNames.filter((method) => errorsShowInHttpStatus({ method }))).toEqual([]);
});
