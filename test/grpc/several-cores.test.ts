import { once } from 'node:events';
import { createServer } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import { CoreUnavailableError } from '../../core/grpc/transport.ts';
import { makeAuthority } from './make-certificates.ts';
import type { RecordingCore } from './recording-core.ts';
import { connectForTest, startTestServer } from './start-test-server.ts';

const account = { accountId: 'a-1', name: 'Acme', createdAt: 1_700_000_000 };
const never = () => new Promise<never>(() => undefined);

/** A core that answers both kinds of calls: one that changes something, and one that reads. */
async function startCore(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  server.far.answerWith('createAccount', async () => accept(account));
  server.far.answerWith('listAccounts', async () => accept([account]));
  return server;
}

async function startTwoCores() {
  const [first, second] = await Promise.all([startCore(), startCore()]);
  return { first, second, both: connectForTest({ address: [first.address, second.address] }) };
}

const isReady = (core: RecordingCore, ready: boolean) => {
  core.status = async () => [{ part: 'store', ready, detail: '' }];
};

/** Accepts connections and says nothing, as a process that was stopped. */
async function startSilentServer(): Promise<string> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `127.0.0.1:${address.port}`;
}

test('calls go to the cores in turn', async () => {
  const { first, second, both } = await startTwoCores();
  await vi.waitFor(async () => expect(await both.status()).toHaveLength(1));
  for (let call = 0; call < 10; call += 1) await both.createAccount({ name: 'Acme' });
  expect([first.far.calls.length, second.far.calls.length]).toStrictEqual([5, 5]);
});

test('a core that is not ready is left out and told of, is asked again once it is, and is asked where no core is ready', async () => {
  const { first, second, both } = await startTwoCores();
  isReady(first.far, false);
  const reported = {
    part: `core ${first.address}`,
    ready: false,
    optional: true,
    detail: expect.stringContaining('serve'),
  };
  await vi.waitFor(async () => expect(await both.status()).toContainEqual(reported), { timeout: 5_000 });
  for (let call = 0; call < 4; call += 1) await both.createAccount({ name: 'Acme' });
  expect([first.far.calls.length, second.far.calls.length]).toStrictEqual([0, 4]);

  isReady(first.far, true);
  await vi.waitFor(async () => expect(await both.status()).not.toContainEqual(reported), { timeout: 5_000 });
  for (let call = 0; call < 4; call += 1) await both.createAccount({ name: 'Acme' });
  expect([first.far.calls.length, second.far.calls.length]).toStrictEqual([2, 6]);

  isReady(first.far, false);
  isReady(second.far, false);
  await vi.waitFor(async () => expect(await both.status()).toHaveLength(3), { timeout: 5_000 });
  expect(await both.createAccount({ name: 'Acme' })).toStrictEqual(accept(account));
});

test('what no core has begun goes to another one, also what may be done once only', async () => {
  const { first, second, both } = await startTwoCores();
  await vi.waitFor(async () => {
    await both.createAccount({ name: 'Acme' });
    expect(first.far.calls.length * second.far.calls.length).toBeGreaterThan(0);
  });
  const asked = second.far.calls.length;
  await first.close();
  for (let call = 0; call < 4; call += 1) {
    expect(await both.createAccount({ name: 'Acme' })).toStrictEqual(accept(account));
  }
  expect(second.far.calls.length).toBe(asked + 4);
});

test('a core whose slots are all taken has begun with nothing', async () => {
  const full = await startCore({ limits: { maxConcurrentCalls: 1, drainMs: 10 } });
  full.far.answerWith('readSignUp', never);
  const taking = connectForTest({ address: full.address }).readSignUp();
  taking.catch(() => undefined);
  await vi.waitFor(() => expect(full.far.calls).toHaveLength(1));
  const free = await startCore();
  const both = connectForTest({ address: [full.address, free.address] });
  for (let call = 0; call < 2; call += 1) {
    expect(await both.createAccount({ name: 'Acme' })).toStrictEqual(accept(account));
  }
});

test('where a core is lost with a call, another one is asked what may be done twice, and nothing else', async () => {
  for (const name of ['listAccounts', 'createAccount'] as const) {
    const lost = await startCore({ limits: { drainMs: 10 } });
    const other = await startCore();
    isReady(other.far, false); // so that the one that is lost is asked first
    const both = connectForTest({ address: [lost.address, other.address] });
    const leftOut = { part: `core ${other.address}`, ready: false };
    await vi.waitFor(async () => expect(await both.status()).toMatchObject([{}, leftOut]), { timeout: 5_000 });
    lost.far.answerWith(name, () => {
      lost.close();
      return never();
    });
    const answer = name === 'listAccounts' ? both.listAccounts({}) : both.createAccount({ name: 'Acme' });
    if (name === 'listAccounts') expect(await answer).toStrictEqual(accept([account]));
    else await expect(answer).rejects.toBeInstanceOf(CoreUnavailableError);
    expect(lost.far.calls.filter((call) => call.name === name)).toHaveLength(1);
    expect(other.far.calls.filter((call) => call.name === name)).toHaveLength(name === 'listAccounts' ? 1 : 0);
  }
});

test('a core that has lost its database is not the end of what another one can answer', async () => {
  const { first, second, both } = await startTwoCores();
  first.far.answerWith('listAccounts', () =>
    Promise.reject(Object.assign(new Error('no server'), { name: 'DatabaseLostError' })),
  );
  for (let call = 0; call < 4; call += 1) expect(await both.listAccounts({})).toStrictEqual(accept([account]));
  expect(first.far.calls.length).toBeGreaterThan(0);
  await second.close();
  await expect(both.listAccounts({})).rejects.toBeInstanceOf(CoreUnavailableError);
});

test('an operation that an older core lacks is done by another one, and refused as such where no core has it', async () => {
  const older = new Server();
  new HealthImplementation({ '': 'SERVING' }).addToServer(older);
  const port = await new Promise<number>((resolve, reject) => {
    older.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  onTestFinished(() => older.forceShutdown());
  const newer = await startCore();
  const both = connectForTest({ address: [`127.0.0.1:${port}`, newer.address] });
  for (let call = 0; call < 4; call += 1) {
    expect(await both.createAccount({ name: 'Acme' })).toStrictEqual(accept(account));
  }
  // It has answered, so it is not reported as silent.
  expect(await both.status()).toHaveLength(1);
  await newer.close();
  const failure = connectForTest({ address: `127.0.0.1:${port}` }).createAccount({ name: 'Acme' });
  await expect(failure).rejects.toMatchObject({
    name: 'CoreOutdatedError',
    message: expect.stringContaining('version'),
  });
});

test('a core that stands still is waited for no more where another one serves', async () => {
  const there = await startCore();
  const both = connectForTest({ address: [await startSilentServer(), there.address], deadlineMs: 20_000 });
  const answers = await Promise.all([both.listAccounts({}), both.listAccounts({})]);
  expect(answers).toStrictEqual([accept([account]), accept([account])]);
});

test('while a core stops not one call fails', async () => {
  const first = await startCore({ limits: { noticeMs: 1_500 } });
  const second = await startCore();
  const both = connectForTest({ address: [first.address, second.address] });
  let going = true;
  const clients = Array.from({ length: 8 }, async () => {
    let calls = 0;
    for (; going; calls += 1) await both.createAccount({ name: 'Acme' });
    return calls;
  });
  await vi.waitFor(() => expect(first.far.calls.length).toBeGreaterThan(20));
  await first.close();
  const asked = second.far.calls.length;
  await vi.waitFor(() => expect(second.far.calls.length).toBeGreaterThan(asked + 20));
  going = false;
  const calls = (await Promise.all(clients)).reduce((sum, one) => sum + one, 0);
  expect(first.far.calls.length + second.far.calls.length).toBe(calls);
});

test('metrics are those of every core, with its address as a label', async () => {
  const { first, second, both } = await startTwoCores();
  const metric = (value: number) => ({
    name: 'tollfree_decisions_total',
    kind: 'counter' as const,
    help: 'Answers.',
    samples: [{ suffix: '' as const, labels: { chain: '1' }, value }],
  });
  first.far.answerWith('readMetrics', async () => accept([metric(1)]));
  second.far.answerWith('readMetrics', async () => accept([metric(2)]));
  const answer = await both.readMetrics();
  const samples = answer.ok ? answer.value.flatMap((one) => one.samples) : [];
  expect(samples.map(({ labels, value }) => ({ ...labels, value }))).toStrictEqual([
    { chain: '1', core: first.address, value: 1 },
    { chain: '1', core: second.address, value: 2 },
  ]);
});

test('a name stands for every core behind it, each of which shows a certificate of that name', async () => {
  const authority = makeAuthority('ours');
  const tls = { ...authority.issue('core'), clientCertificateAuthority: authority.certificate };
  const first = await startCore({ address: '127.0.0.1:0', tls });
  const port = first.address.split(':')[1];
  const second = await startCore({ address: `127.0.0.2:${port}`, tls });
  let numbers: readonly string[] | undefined;
  const core = connectForTest({
    address: `localhost.:${port}`,
    tls: { certificateAuthority: authority.certificate, ...authority.issue('gateway'), serverName: 'localhost' },
    lookUp: async () => numbers ?? Promise.reject(new Error('ENOTFOUND')),
  });
  await expect(core.createAccount({ name: 'Acme' })).rejects.toBeInstanceOf(CoreUnavailableError);
  expect(await core.status()).toMatchObject([{ part: 'core', ready: false }]);

  numbers = ['127.0.0.1', '127.0.0.2'];
  for (let call = 0; call < 4; call += 1) await core.createAccount({ name: 'Acme' });
  expect([first.far.calls.length, second.far.calls.length]).toStrictEqual([2, 2]);
});
