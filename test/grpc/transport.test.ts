import { create } from '@bufbuild/protobuf';
import { Client, credentials, status } from '@grpc/grpc-js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import { unaryMethod } from '../../core/grpc/bridge.ts';
import { accessMetadata } from '../../core/grpc/call-metadata.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { CoreUnavailableError } from '../../core/grpc/transport.ts';
import { CreateAccountRequestSchema } from '../../proto/gen/tollfree/core/v1/account_pb.ts';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import { connectForTest, startTestServer, testToken } from './start-test-server.ts';

const account = { accountId: 'a-1', name: 'Acme', createdAt: 1_700_000_000 };
const never = () => new Promise<never>(() => undefined);

/** A client of the plain library, as a service in another language has it; sets no deadline unless told. */
function callRaw(address: string, request: Buffer, deadline?: number): Promise<{ code: status; details: string }> {
  const client = new Client(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const method = unaryMethod(CoreService.method.createAccount);
  const asBytes = (bytes: Buffer) => bytes;
  return new Promise((resolve) => {
    const options = deadline === undefined ? {} : { deadline };
    client.makeUnaryRequest(method.path, asBytes, asBytes, request, accessMetadata(testToken), options, (error) => {
      resolve(error === null ? { code: status.OK, details: '' } : { code: error.code, details: error.details });
    });
  });
}

const createAcme = unaryMethod(CoreService.method.createAccount).requestSerialize(
  create(CreateAccountRequestSchema, { name: 'Acme' }),
);

test('an exception of the core is logged with an id, and the id is all that the caller learns', async () => {
  const { address, far, lines } = await startTestServer();
  far.answerWith('createAccount', () => Promise.reject(new Error('SQLITE_CORRUPT in /var/lib/secret.db')));

  const { code, details } = await callRaw(address, createAcme);

  expect(code).toBe(status.INTERNAL);
  expect(details).toMatch(/^internal error [0-9a-f-]{36}$/);
  const errors = lines.filter((line) => line.level === 'error');
  expect(errors).toHaveLength(1);
  expect(errors[0]?.fields).toMatchObject({ callId: details.slice('internal error '.length) });
});

test('an exception thrown before the first await is treated alike', async () => {
  const { address, far } = await startTestServer();
  far.answerWith('createAccount', () => {
    throw new Error('secret');
  });
  expect((await callRaw(address, createAcme)).details).toMatch(/^internal error [0-9a-f-]{36}$/);
});

test('a value that does not fit the wire is a failure of the server, not a wrong answer', async () => {
  const { address, far, lines } = await startTestServer();
  far.answerWith('getFeeQuoteOrData', async () =>
    accept({
      kind: 'quotes',
      paymasterAddress: '0x0000000000000000000000000000000000000001',
      feeQuotes: [
        {
          symbol: 'T',
          decimal: 6,
          tokenAddress: '0x0000000000000000000000000000000000000002',
          maxGasFee: -1n,
          maxGasFeeUsdMicros: 0n,
          exchangeRate: 0n,
          premiumBasisPoints: 0,
          validUntil: 1,
          logoUrl: '',
        },
      ],
      unsupportedTokens: [],
      decisionId: 'd',
    }),
  );
  const core = connectForTest({ address });
  const request = { apiKey: 'k', chainId: 1, userOperation: {}, context: { sponsorshipInfoGiven: true } };
  await expect(core.getFeeQuoteOrData(request)).rejects.toThrow(/INTERNAL: internal error/);
  expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
});

test('bytes that are no message are refused as the fault of the caller', async () => {
  const { address, far } = await startTestServer();
  const answer = await callRaw(address, Buffer.from('ff00ff00ff', 'hex'));
  expect(answer).toStrictEqual({
    code: status.INVALID_ARGUMENT,
    details: 'the request is not a message of this method',
  });
  expect(far.calls).toStrictEqual([]);
});

test('a message over the limit is refused before the core sees it', async () => {
  const { address, far } = await startTestServer({ limits: { maxRequestBytes: 1024 } });
  far.answerWith('createAccount', async () => accept(account));
  const core = connectForTest({ address });
  await expect(core.createAccount({ name: 'x'.repeat(2000) })).rejects.toThrow(/RESOURCE_EXHAUSTED/);
  expect(far.calls).toStrictEqual([]);
  expect(await core.createAccount({ name: 'x'.repeat(900) })).toStrictEqual(accept(account));
});

test('an ABI of half a mebibyte passes within the default limits', async () => {
  const { address, far } = await startTestServer();
  const contract = {
    name: 'c',
    address: '0x0000000000000000000000000000000000000001' as const,
    abi: 'x'.repeat(512 * 1024),
    whitelistedMethods: [],
    methods: [],
  };
  far.answerWith('listSmartContracts', async () => accept({ contracts: Array.from({ length: 20 }, () => contract) }));
  const core = connectForTest({ address });
  const answer = await core.listSmartContracts({ accountId: 'a', paymasterId: 'p' });
  expect(answer.ok && answer.value.contracts.length).toBe(20);
});

test('a core that does not respond in time is unavailable', async () => {
  const { address, far } = await startTestServer();
  far.answerWith('createAccount', never);
  const core = connectForTest({ address, deadlineMs: 100 });
  const failure = core.createAccount({ name: 'Acme' });
  await expect(failure).rejects.toBeInstanceOf(CoreUnavailableError);
  await expect(failure).rejects.toThrow(/DEADLINE_EXCEEDED/);
});

test('a call without a deadline gets the default of the server', async () => {
  const { address, far } = await startTestServer({ limits: { defaultDeadlineMs: 50 } });
  far.answerWith('createAccount', never);
  expect((await callRaw(address, createAcme)).code).toBe(status.DEADLINE_EXCEEDED);
});

test('a call with a far deadline gets no more than the maximum of the server', async () => {
  const { address, far } = await startTestServer({ limits: { maxDeadlineMs: 50 } });
  far.answerWith('createAccount', never);
  const answer = await callRaw(address, createAcme, Date.now() + 3_600_000);
  expect(answer.code).toBe(status.DEADLINE_EXCEEDED);
});

test('a check of the ledger has time to read all of it', async () => {
  const { address, far } = await startTestServer({ limits: { defaultDeadlineMs: 50, maxDeadlineMs: 50 } });
  let finish: () => void = () => undefined;
  // The call may arrive after the other one is over its time.
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  far.answerWith('checkLedger', async () => {
    await finished;
    return accept([]);
  });
  far.answerWith('createAccount', never);
  const core = connectForTest({ address, deadlineMs: 50 });
  const reports = core.checkLedger({ allRows: true });
  // The other call is over its time meanwhile.
  await expect(core.createAccount({ name: 'Acme' })).rejects.toThrow(/DEADLINE_EXCEEDED/);
  finish();
  expect(await reports).toStrictEqual(accept([]));
});

test('a call over its time counts as running until its work has ended', async () => {
  const { address, far } = await startTestServer({ limits: { maxConcurrentCalls: 1, defaultDeadlineMs: 50 } });
  let finish: () => void = () => undefined;
  far.answerWith('createAccount', async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return accept(account);
  });
  expect((await callRaw(address, createAcme)).code).toBe(status.DEADLINE_EXCEEDED);
  expect(await callRaw(address, createAcme)).toStrictEqual({
    code: status.UNAVAILABLE,
    details: 'too many concurrent calls',
  });

  finish();
  far.answerWith('createAccount', async () => accept(account));
  expect((await callRaw(address, createAcme)).code).toBe(status.OK);
});

test('operations of a core that is not there reject as unavailable, and its status is one part that is not ready', async () => {
  const core = connectForTest({ address: `127.0.0.1:${await findClosedPort()}` });
  const failure = core.listAccounts({});
  await expect(failure).rejects.toBeInstanceOf(CoreUnavailableError);
  await expect(failure).rejects.toHaveProperty('name', 'CoreUnavailableError');
  expect(await core.status()).toMatchObject([{ part: 'core', ready: false }]);
});

test('a core whose status fails is one part that is not ready', async () => {
  const { address, far } = await startTestServer();
  far.status = () => Promise.reject(new Error('secret'));
  const parts = await connectForTest({ address }).status();
  expect(parts).toStrictEqual([{ part: 'core', ready: false, detail: 'the core did not report its status' }]);
});

test('a client outlives its server and works again with the next one', async () => {
  const first = await startTestServer();
  first.far.answerWith('createAccount', async () => accept(account));
  const core = connectForTest({ address: first.address });
  expect(await core.createAccount({ name: 'Acme' })).toStrictEqual(accept(account));

  await first.close();
  await expect(core.createAccount({ name: 'Acme' })).rejects.toBeInstanceOf(CoreUnavailableError);

  const second = await startTestServer({ address: first.address });
  second.far.answerWith('createAccount', async () => accept(account));
  await vi.waitFor(async () => expect(await core.createAccount({ name: 'Acme' })).toStrictEqual(accept(account)), {
    timeout: 10_000,
  });
});

test('a server that closes lets a running call end', async () => {
  const { address, far, close } = await startTestServer();
  let closed: Promise<void> | undefined;
  far.answerWith('createAccount', async () => {
    closed = close();
    await new Promise((resolve) => setImmediate(resolve));
    return accept(account);
  });
  expect(await connectForTest({ address }).createAccount({ name: 'Acme' })).toStrictEqual(accept(account));
  await closed;
});

test('a server that closes cuts off a call that does not end', async () => {
  const { address, far, close } = await startTestServer({ limits: { drainMs: 50 } });
  let closed: Promise<void> | undefined;
  far.answerWith('createAccount', () => {
    closed = close();
    return never();
  });
  const failure = connectForTest({ address }).createAccount({ name: 'Acme' });
  await expect(failure).rejects.toBeInstanceOf(CoreUnavailableError);
  await closed;
});

test('a closed client rejects as unavailable', async () => {
  const { address } = await startTestServer();
  const { core, close } = connectCore({ address });
  close();
  await expect(core.listAccounts({})).rejects.toBeInstanceOf(CoreUnavailableError);
});
