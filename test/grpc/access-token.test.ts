import { create } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { accept } from '../../core/domain/result/result.ts';
import { unaryMethod } from '../../core/grpc/bridge.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { startGrpcServer } from '../../core/grpc/server.ts';
import { CreateAccountRequestSchema } from '../../proto/gen/tollfree/core/v1/account_pb.ts';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { makeSocketAddress } from '../support/servers/make-socket-path.ts';
import { createRecordingCore } from './recording-core.ts';
import { connectForTest, startTestServer, testToken } from './start-test-server.ts';

const account = { accountId: 'a-1', name: 'Acme', createdAt: 1_700_000_000 };
const createAccount = unaryMethod(CoreService.method.createAccount);
const creating = {
  method: { path: createAccount.path },
  request: createAccount.requestSerialize(create(CreateAccountRequestSchema, { name: 'Acme' })),
};

/** A call of the plain library with a header of the caller's choice. */
function callWith(
  address: string,
  headers: Readonly<Record<string, string>>,
  { method, request } = creating,
): Promise<status> {
  const client = new Client(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  const asBytes = (bytes: Buffer) => bytes;
  return new Promise((resolve) => {
    client.makeUnaryRequest(method.path, asBytes, asBytes, request, metadata, {}, (error) => {
      resolve(error === null ? status.OK : error.code);
    });
  });
}

test.each(['127.0.0.1:0', '[::1]:0', 'localhost:0'])(
  'on %s a server without a token does not start',
  async (address) => {
    const { logger } = createRecordingLogger();
    const start = startGrpcServer({ core: createRecordingCore().core, address, reflection: false, logger });
    await expect(start).rejects.toThrow(/needs a token \(grpc\.tokenFile\) or mutual TLS.*a unix socket needs neither/);
  },
);

test('on loopback another user of the machine is not served without the token', async () => {
  const { address, far } = await startTestServer();
  far.answerWith('createAccount', async () => accept(account));
  const right = `Bearer ${testToken.reveal()}`;
  for (const authorization of ['', 'Bearer ', testToken.reveal(), `${right}x`, right.slice(0, -1), right.toUpperCase()])
    expect(await callWith(address, { authorization })).toBe(status.UNAUTHENTICATED);
  expect(await callWith(address, {})).toBe(status.UNAUTHENTICATED);
  expect(await callWith(address, { token: right })).toBe(status.UNAUTHENTICATED);
  expect(far.calls).toStrictEqual([]);
  expect(await callWith(address, { authorization: right })).toBe(status.OK);
});

test.each(Object.values(CoreService.method).map(({ name }) => name))('refuses %s without the token', async (name) => {
  const { address, far } = await startTestServer();
  const call = { method: { path: `/${CoreService.typeName}/${name}` }, request: Buffer.alloc(0) };
  expect(await callWith(address, {}, call)).toBe(status.UNAUTHENTICATED);
  expect(await callWith(address, { authorization: 'Bearer another token, long enough' }, call)).toBe(
    status.UNAUTHENTICATED,
  );
  expect(far.calls).toStrictEqual([]);
  expect(await callWith(address, { authorization: `Bearer ${testToken.reveal()}` }, call)).not.toBe(
    status.UNAUTHENTICATED,
  );
});

test('a client with another token learns so as a core that it cannot use, and nothing of either token', async () => {
  const { address, lines } = await startTestServer();
  const wrong = new Secret('another token of the test, long enough');
  const core = connectForTest({ address, token: wrong });
  const sentence = /^the core does not accept the token, or requires one$/;
  await expect(core.createAccount({ name: 'Acme' })).rejects.toMatchObject({
    name: 'CoreUnavailableError',
    message: expect.stringMatching(sentence),
  });
  expect(await core.status()).toMatchObject([{ part: 'core', ready: false, detail: expect.stringMatching(sentence) }]);
  expect(JSON.stringify(lines)).not.toMatch(/long[ -]enough/);
});

test('a unix socket asks for no token, unless it is given one', async () => {
  const { logger } = createRecordingLogger();
  const far = createRecordingCore();
  for (const access of [{}, { token: testToken }]) {
    const address = makeSocketAddress();
    const server = await startGrpcServer({ core: far.core, address, reflection: false, logger, ...access });
    const { core, close } = connectCore({ address });
    const [part] = await core.status();
    expect(part?.ready).toBe(!('token' in access));
    close();
    await server.close();
  }
});
