import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client, type ClientReadableStream, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import { CoreUnavailableError } from '../../core/grpc/transport.ts';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { bufProgram } from '../../tools/install-packages.ts';
import { connectForTest, startTestServer, testToken } from './start-test-server.ts';

const run = promisify(execFile);
const bearer = `authorization: Bearer ${testToken.reveal()}`;
const ready = [{ part: 'store', ready: true, detail: '' }];
const notReady = [...ready, { part: 'chain 1', ready: false, detail: 'node is down' }];
type HealthAnswer = { status: string };

function connectRaw(address: string): Client {
  const client = new Client(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  return client;
}

function healthMethod(name: 'Check' | 'Watch') {
  const method = healthService[name];
  if (method === undefined) throw new Error(`the health service has no ${name}`);
  return method;
}

function check(address: string, service: string): Promise<HealthAnswer | ServiceError> {
  const { path, requestSerialize, responseDeserialize } = healthMethod('Check');
  return new Promise((resolve, reject) => {
    const client = connectRaw(address);
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, (error, answer) => {
      if (error !== null) resolve(error);
      else if (answer !== undefined) resolve(answer as unknown as HealthAnswer);
      else reject(new Error('no answer'));
    });
  });
}

function watch(address: string): ClientReadableStream<HealthAnswer> {
  const { path, requestSerialize, responseDeserialize } = healthMethod('Watch');
  const asAnswer = (bytes: Buffer) => responseDeserialize(bytes) as unknown as HealthAnswer;
  return connectRaw(address).makeServerStreamRequest(path, requestSerialize, asAnswer, { service: '' });
}

/** A real client in another language: Go, by way of server reflection. */
async function curl(...args: string[]): Promise<string> {
  const flags = ['curl', '--protocol', 'grpc', '--http2-prior-knowledge', '--reflect', '--header', bearer];
  const { stdout } = await run(bufProgram, [...flags, ...args]);
  return stdout;
}

test('a health check asks the core there and then, for the server and for its service', async () => {
  const { address, far } = await startTestServer();
  for (const service of ['', CoreService.typeName]) {
    far.status = async () => ready;
    expect(await check(address, service)).toStrictEqual({ status: 'SERVING' });
    far.status = async () => notReady;
    expect(await check(address, service)).toStrictEqual({ status: 'NOT_SERVING' });
  }
  expect(await check(address, 'some.other.Service')).toMatchObject({ code: status.NOT_FOUND });
});

test('a core that cannot tell its status, or not in time, is not serving', async () => {
  const { address, far } = await startTestServer({ limits: { statusTimeoutMs: 50 } });
  far.status = () => Promise.reject(new Error('secret'));
  expect(await check(address, '')).toStrictEqual({ status: 'NOT_SERVING' });
  far.status = () => new Promise(() => undefined);
  expect(await check(address, '')).toStrictEqual({ status: 'NOT_SERVING' });
});

test('a server whose health is asked for says that it stops, and still answers for a while', async () => {
  const { address, far, close } = await startTestServer({ limits: { noticeMs: 500 } });
  far.status = async () => ready;
  far.answerWith('listAccounts', async () => accept([]));
  const core = connectForTest({ address });
  await core.listAccounts({});
  expect(await check(address, '')).toStrictEqual({ status: 'SERVING' });
  const closed = close();
  expect(await check(address, '')).toStrictEqual({ status: 'NOT_SERVING' });
  expect(await core.listAccounts({})).toStrictEqual(accept([]));
  await closed;
  await expect(core.listAccounts({})).rejects.toBeInstanceOf(CoreUnavailableError);
});

test('a health watch hears of every change, and ends when the server closes', async () => {
  const { address, far, close } = await startTestServer({ limits: { healthIntervalMs: 10 } });
  const received: string[] = [];
  const stream = watch(address);
  for await (const answer of stream as AsyncIterable<HealthAnswer>) {
    received.push(answer.status);
    if (received.length === 1) far.status = async () => notReady;
    if (received.length === 2) far.status = async () => ready;
    if (received.length === 3) close();
  }
  expect(received).toStrictEqual(['SERVING', 'NOT_SERVING', 'SERVING', 'NOT_SERVING']);
});

test('one health watch too many is refused, and there is room again when one ends', async () => {
  const { address } = await startTestServer({ limits: { maxHealthWatches: 1 } });
  const first = watch(address);
  await new Promise((resolve) => first.once('data', resolve));
  const firstEvent = () =>
    new Promise<HealthAnswer | ServiceError>((resolve) => watch(address).once('data', resolve).once('error', resolve));
  expect(await firstEvent()).toMatchObject({ code: status.RESOURCE_EXHAUSTED });

  first.once('error', () => undefined); // its own cancellation
  first.cancel();
  await vi.waitFor(async () => expect(await firstEvent()).toStrictEqual({ status: 'SERVING' }));
});

test('reflection names the service and lets a client without the protos call it', async () => {
  const { address, far } = await startTestServer({ reflection: true });
  far.answerWith('createPaymaster', async ({ accountId, name, chainId, version }) =>
    accept({ paymasterId: 'p-1', accountId, name, chainId, version, apiKey: 'k' }),
  );
  const methods = (await curl('--list-methods', `http://${address}`)).trim().split('\n');
  const expected = CoreService.methods.map((method) => `${CoreService.typeName}/${method.name}`);
  expect(methods.sort()).toStrictEqual(expected.sort());

  const request = JSON.stringify({ accountId: 'a-1', name: 'Größe', chainId: '137', version: '1.0.0' });
  const answer = await curl('--data', request, `http://${address}/${CoreService.typeName}/CreatePaymaster`);
  expect(JSON.parse(answer)).toStrictEqual({
    value: { paymasterId: 'p-1', accountId: 'a-1', name: 'Größe', chainId: '137', version: '1.0.0', apiKey: 'k' },
  });
});

test('without reflection the server does not describe itself', async () => {
  const { address } = await startTestServer({ reflection: false });
  await expect(curl('--list-methods', `http://${address}`)).rejects.toThrow(/reflection/);
});
