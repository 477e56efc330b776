import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Core, Input } from '../../core/domain/core.ts';
import { RefusalSchema } from '../../core/domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../core/domain/result/result.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { type OperationName, operationNames, type Value } from '../../core/grpc/operation.ts';
import { type GrpcServer, startGrpcServer } from '../../core/grpc/server.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';
import { makeSocketAddress } from '../support/servers/make-socket-path.ts';
import { arbitraryCall, arbitraryOf } from './arbitrary-of.ts';
import { createRecordingCore } from './recording-core.ts';

type Performers = { [Name in OperationName]: (input: Input<Name>) => Promise<Result<Value<Name>>> };

const far = createRecordingCore();
const refusals = arbitraryOf(RefusalSchema);
let server: GrpcServer;
let near: { core: Core; close(): void };

beforeAll(async () => {
  const { logger } = createRecordingLogger();
  server = await startGrpcServer({ core: far.core, address: makeSocketAddress(), reflection: false, logger });
  near = connectCore({ address: server.address });
});

afterAll(async () => {
  near.close();
  await server.close();
});

/** Calls through the wire and tells what arrived at the far end and what came back. */
async function callThrough<Name extends OperationName>(name: Name, input: Input<Name>, answer: Result<Value<Name>>) {
  far.answerWith(name, async () => answer);
  far.calls.length = 0;
  const performers: Performers = near.core;
  const received = await performers[name](input);
  return { received, calls: [...far.calls] };
}

async function expectSameOnBothSides<Name extends OperationName>(name: Name): Promise<void> {
  const { input, value } = arbitraryCall(name);
  const property = fc.asyncProperty(input, value, async (sentInput, sentValue) => {
    const { received, calls } = await callThrough(name, sentInput, accept(sentValue));
    expect(calls).toStrictEqual([{ name, input: sentInput }]);
    expect(received).toStrictEqual(accept(sentValue));
  });
  await fc.assert(property, { numRuns: repeatsOfRun(2, 60) });
}

describe('every operation arrives and is answered as through the local handle', () => {
  test.each(operationNames)('%s', (name) => expectSameOnBothSides(name));
});

async function expectRefusalsWhole<Name extends OperationName>(name: Name): Promise<void> {
  const property = fc.asyncProperty(arbitraryCall(name).input, refusals, async (input, refusal) => {
    const { received } = await callThrough(name, input, refuse(refusal));
    expect(received).toStrictEqual({ ok: false, refusal });
  });
  await fc.assert(property, { numRuns: repeatsOfRun(1, 15) });
}

describe('a refusal comes back whole, as an answer', () => {
  test.each(operationNames)('%s', (name) => expectRefusalsWhole(name));
});

test.each([0, -1, 1.5, 2 ** 53, 1e300, Number.NaN])(
  'a number that is no chain id (%s) reaches the core as 0, for it to refuse',
  async (chainId) => {
    const input = { accountId: 'a', name: 'n', type: 'HYBRID', version: '1', chainId };
    const refusal = refuse({ reason: 'PAYMASTER_CHAIN_NOT_SUPPORTED', message: 'no such chain' });
    const { received, calls } = await callThrough('createPaymaster', input, refusal);
    expect(calls).toStrictEqual([{ name: 'createPaymaster', input: { ...input, chainId: 0 } }]);
    expect(received).toStrictEqual(refusal);
  },
);

test.each([
  [300.7, 300],
  [-0.5, -1],
  [1e300, Number.MAX_SAFE_INTEGER],
  [-1e300, -Number.MAX_SAFE_INTEGER],
])('a wished lifetime of %s seconds arrives as %s', async (wished, arrived) => {
  const request = { apiKey: 'k', chainId: 1, userOperation: {}, context: { sponsorshipInfoGiven: true } };
  const refusal = refuse({ reason: 'NO_POLICIES', message: 'No policies were set' });
  const sent = { ...request, context: { ...request.context, expiryDuration: wished } };
  const { calls } = await callThrough('getFeeQuoteOrData', sent, refusal);
  const expected = { ...request, context: { ...request.context, expiryDuration: arrived } };
  expect(calls).toStrictEqual([{ name: 'getFeeQuoteOrData', input: expected }]);
});

test('the status comes back part by part', async () => {
  const parts = [
    { part: 'store', ready: true, detail: '' },
    { part: 'chain 1', ready: false, detail: 'node is down — since 12:00' },
  ];
  far.status = async () => parts;
  expect(await near.core.status()).toStrictEqual(parts);
});
