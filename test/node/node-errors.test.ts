import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { type ChainClient, createChainClient } from '../../core/node/chain-client.ts';
import { explainNodeError, isRangeError } from '../../core/node/node-error.ts';
import { type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

let node: RpcServer;
let client: ChainClient;
/** The node's next answer: an error of JSON-RPC, with an HTTP status where that is not 200. */
let answer: { readonly code?: number; readonly message: string; readonly status?: number };

beforeAll(async () => {
  node = await startRpcServer(({ id }, response) => {
    const { status, ...error } = answer;
    respond(response, { jsonrpc: '2.0', id, error }, status);
  });
  const config = { chainId: 1, name: 'chain', nodeUrls: [node.url], callTimeoutMs: 5_000, pollIntervalMs: 100 };
  client = createChainClient(config as unknown as ChainConfig);
});
afterAll(() => node.close());

async function errorOf(next: typeof answer): Promise<unknown> {
  answer = next;
  return client.getLogs().then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a question about logs', () => {
  test.each([
    ['query returned more than 10000 results'],
    ['eth_getLogs is limited to a 10,000 range'],
    ['block range is too wide'],
    ['Log response size exceeded'],
    ['query timeout exceeded'],
    ['request timed out'],
    ['requested too many blocks from 0 to 16384, maximum is set to 2048'],
    ['Please try with this block range [0x1, 0x2]'],
  ])('is asked of fewer blocks after "%s"', async (message) => {
    expect(isRangeError(await errorOf({ code: -32_000, message }))).toBe(true);
    expect(isRangeError(await errorOf({ status: 413, message }))).toBe(true);
  });

  test.each(['header not found', 'internal error', 'unauthorized'])('is not after "%s"', async (message) => {
    expect(isRangeError(await errorOf({ code: -32_000, message }))).toBe(false);
  });

  test('is not for a fault of ours', () => {
    expect(isRangeError(new Error('the range is too wide'))).toBe(false);
  });
});

describe('a rate limit', () => {
  test.each([
    { code: -32_000, message: 'too many requests: gas limit of the plan', status: 429 },
    { code: -32_602, message: 'too many params', status: 429 },
    { code: -32_005, message: 'daily request count exceeded' },
    { code: 429, message: 'compute units' },
  ])('is named as one: %j', async (limit) => {
    expect(explainNodeError(await errorOf(limit))).toMatchObject({
      reason: 'CHAIN_UNAVAILABLE',
      message: expect.stringContaining('rate limit of its node (429)'),
    });
  });

  test('is no reason to ask about fewer blocks, which takes more questions', async () => {
    expect(isRangeError(await errorOf({ code: -32_000, message: 'request limit exceeded', status: 429 }))).toBe(false);
    // Infura's code for both: this one is about the blocks.
    expect(isRangeError(await errorOf({ code: -32_005, message: 'query returned more than 10000 results' }))).toBe(
      true,
    );
  });
});

describe('a simulation that a node does not make', () => {
  const explain = async (code: number, message: string) => explainNodeError(await errorOf({ code, message }));

  test.each([
    [-32_601, 'the method eth_call does not exist'],
    [-32_602, 'invalid argument 2'],
    [-32_000, 'state override is not supported'],
    [-32_000, 'too many arguments, want at most 2'],
    [-32_000, 'too many params'],
    [-32_000, 'expected 2 parameters'],
    [-32_000, 'expected at most 2 parameters'],
    [-32_000, 'insufficient funds for gas * price + value'],
    [-32_000, 'insufficient balance'],
  ])('%d "%s" means that it knows no state overrides', async (code, message) => {
    expect((await explain(code, message)).message).toContain('does not support eth_call with state overrides');
  });

  test.each([
    'out of gas',
    'gas required exceeds allowance (0)',
    'intrinsic gas too low',
    'gas too high',
    'exceeds block gas limit',
    'execution aborted (timeout = 5s)',
  ])('"%s" means that the operation is too heavy', async (message) => {
    expect(await explain(-32_000, message)).toMatchObject({ reason: 'ESTIMATION_FAILED', field: 'callData' });
  });

  test('anything else means that the chain cannot be asked, in words of ours', async () => {
    const refusal = await explain(-32_000, `see ${node.url}`);
    expect(refusal.reason).toBe('CHAIN_UNAVAILABLE');
    expect(refusal.message).toMatch(/down, slow or refuses/);
    expect(refusal.message).not.toContain('secret-key');
    expect(explainNodeError(await errorOf({ status: 503, message: 'out of gas' }))).toEqual(refusal);
    expect(explainNodeError(new Error('out of gas'))).toEqual(refusal);
  });
});
