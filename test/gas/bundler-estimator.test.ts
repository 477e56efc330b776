import type { ServerResponse } from 'node:http';
import { encodeErrorResult, parseAbi } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { EstimationRequest } from '../../core/gas/estimator.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { chainConfig } from '../support/estimation/estimation-bench.ts';
import {
  type RpcRequest,
  type RpcServer,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';

const entryPoint = '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789';
const paymaster = `0x${'77'.repeat(20)}` as const;
const entryPoints = { '0.6': entryPoint, '0.7': entryPoint, '0.8': entryPoint } as const;

const servers: RpcServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

function makeRequest(version: EntryPointVersion): EstimationRequest {
  return {
    entryPoint,
    operation: {
      entryPointVersion: version,
      sender: `0x${'11'.repeat(20)}`,
      nonce: 5n,
      initCode: `0x${'22'.repeat(20)}aabb`,
      callData: '0x1234',
      maxFeePerGas: 2_000n,
      maxPriorityFeePerGas: 1_000n,
      signature: '0x',
    },
    paymasterGas:
      version === '0.6'
        ? { paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }
        : { paymasterVerificationGasLimit: 60_000n, paymasterPostOpGasLimit: 50_000n },
    stub: () => (version === '0.6' ? `${paymaster}abcd` : `${paymaster}${'00'.repeat(32)}abcd`),
    callGasAllowance: 1_000n,
  };
}

async function estimateWith(
  answer: (request: RpcRequest, response: ServerResponse) => void,
  version: EntryPointVersion = '0.7',
) {
  const bundler = await startRpcServer(answer);
  servers.push(bundler);
  const config = {
    ...chainConfig({ chainId: 31_337, rpcUrl: 'http://127.0.0.1:1', entryPoints }),
    bundlerUrl: bundler.url,
    callTimeoutMs: 300,
  };
  const estimator = createGasEstimator({ client: createChainClient(config), config });
  const result = await estimator.estimate(makeRequest(version));
  return { result, sent: bundler.requests[0] };
}

async function refusalWith(answer: (request: RpcRequest, response: ServerResponse) => void) {
  const { result } = await estimateWith(answer);
  if (result.ok) throw new Error('The estimate was not refused.');
  expect(JSON.stringify(result.refusal)).not.toMatch(/secret-key|127\.0\.0\.1/);
  return result.refusal;
}

describe('a configured bundler', () => {
  test('is asked in the form of EntryPoint 0.6 with the stub, and its limits are taken', async () => {
    const limits = { preVerificationGas: '0xc350', verificationGasLimit: '70000', callGasLimit: 90_000 };
    const { result, sent } = await estimateWith((request, response) => respondResult(response, request, limits), '0.6');
    expect(result).toEqual({
      ok: true,
      value: {
        limits: {
          preVerificationGas: 50_000n,
          verificationGasLimit: 70_000n,
          callGasLimit: 91_000n,
          paymasterVerificationGasLimit: 0n,
          paymasterPostOpGasLimit: 0n,
        },
        dataFee: { kind: 'gas', gas: 0n },
        dataGas: 0n,
      },
    });
    expect(sent?.method).toBe('eth_estimateUserOperationGas');
    expect(sent?.params[0]).toMatchObject({
      nonce: '0x5',
      initCode: `0x${'22'.repeat(20)}aabb`,
      paymasterAndData: `${paymaster}abcd`,
    });
    expect(sent?.params[1]).toBe(entryPoint);
  });

  test('is asked in the form of EntryPoint 0.7, and the higher paymaster limit counts', async () => {
    const limits = {
      preVerificationGas: '0xc350',
      verificationGasLimit: '0x11170',
      callGasLimit: '0x15f90',
      paymasterVerificationGasLimit: '0x7530',
      paymasterPostOpGasLimit: '0x11170',
    };
    const { result, sent } = await estimateWith((request, response) => respondResult(response, request, limits));
    expect(result).toMatchObject({
      ok: true,
      value: { limits: { paymasterVerificationGasLimit: 60_000n, paymasterPostOpGasLimit: 70_000n } },
    });
    expect(sent?.params[0]).toMatchObject({
      factory: `0x${'22'.repeat(20)}`,
      factoryData: '0xaabb',
      paymaster,
      paymasterVerificationGasLimit: '0xea60',
      paymasterPostOpGasLimit: '0xc350',
      paymasterData: '0xabcd',
    });
  });

  test('is sent a well-formed dummy where the client gave no signature', async () => {
    const { sent } = await estimateWith((request, response) => respondResult(response, request, {}));
    expect(sent?.params[0]).toMatchObject({ signature: expect.stringMatching(/^0x[0-9a-f]{128}1c$/) });
  });
});

const revertData = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['no cheese'] });

test.each([
  [-32500, 'UserOperation reverted during simulation with reason: AA25 invalid account nonce', 'nonce', 'AA25'],
  [-32501, 'paymaster validation failed: AA33 reverted', 'paymasterAndData', 'AA33'],
  [-32602, 'AA13 initCode failed or OOG', 'initCode', 'AA13'],
])('an AA code in a bundler error %s is read: %s', async (code, message, field, aaCode) => {
  const refusal = await refusalWith((request, response) => respondError(response, request, code, message));
  expect(refusal).toMatchObject({ reason: 'ESTIMATION_FAILED', field, details: { aaCode } });
});

test('an AA code is read also from an error that comes with an HTTP error', async () => {
  const refusal = await refusalWith(({ id }, response) =>
    respond(response, { jsonrpc: '2.0', id, error: { code: -32500, message: 'AA23 reverted' } }, 400),
  );
  expect(refusal).toMatchObject({ reason: 'ESTIMATION_FAILED', field: 'signature', details: { aaCode: 'AA23' } });
});

test('a call that reverts in the bundler is refused with the decoded revert', async () => {
  const message = `UserOperation reverted during simulation with reason: ${revertData}`;
  const refusal = await refusalWith((request, response) => respondError(response, request, -32521, message));
  expect(refusal).toMatchObject({ field: 'callData', details: { revert: 'Error("no cheese")' } });
});

test("a bundler's own words are quoted without URLs", async () => {
  const message = 'execution reverted, see https://bundler.example/secret-key';
  const refusal = await refusalWith((request, response) => respondError(response, request, -32521, message));
  expect(refusal).toMatchObject({ reason: 'ESTIMATION_FAILED', field: 'callData' });
});

test.each<[string, (request: RpcRequest, response: ServerResponse) => void]>([
  ['never answers', () => undefined],
  ['answers HTML', (_, response) => void response.writeHead(200).end('<html>')],
  ['answers 502', (_, response) => respond(response, 'bad gateway', 502)],
  ['answers null', (request, response) => respondResult(response, request, null)],
  ['leaves a limit out', (request, response) => respondResult(response, request, { callGasLimit: '0x1' })],
  [
    'answers a limit beyond reason',
    (request, response) =>
      respondResult(response, request, {
        callGasLimit: `0x${'f'.repeat(40)}`,
        verificationGasLimit: '0x1',
        preVerificationGas: '0x1',
      }),
  ],
  ['says it is busy', (request, response) => respondError(response, request, -32005, 'busy')],
])('a bundler that %s makes the chain unavailable', async (_, answer) => {
  expect((await refusalWith(answer)).reason).toBe('CHAIN_UNAVAILABLE');
});
