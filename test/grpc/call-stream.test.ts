import { Client, Server } from '@grpc/grpc-js';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Core } from '../../core/domain/core.ts';
import { accept } from '../../core/domain/result/result.ts';
import { answerFrame } from '../../core/grpc/stream/call-frames.ts';
import { CoreUnavailableError } from '../../core/grpc/transport.ts';
import { connectForTest, startTestServer } from './start-test-server.ts';

const never = () => new Promise<never>(() => undefined);
const key = (apiKey: string) => ({ apiKey, chainId: 1 });
const addressOf = (number: number) => `0x${String(number).padStart(40, '0')}` as const;

/** A core that answers `listEntryPoints` with the number in the key, and takes what must not be done twice. */
async function startCore(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  server.far.answerWith('listEntryPoints', async ({ apiKey }) => accept([addressOf(Number(apiKey))]));
  server.far.answerWith('shareLimits', async () => accept([]));
  return server;
}

/** Unary calls that clients make from now on. The health of cores is among them. */
function watchUnaryCalls(): () => number {
  const spy = vi.spyOn(Client.prototype, 'makeUnaryRequest');
  onTestFinished(() => spy.mockRestore());
  return () => spy.mock.calls.filter(([path]) => path.includes('CoreService')).length;
}

/** The first calls of a client are unary, until the core has shown that it has streams. */
async function waitForStream(core: Core, unaryCalls: () => number): Promise<void> {
  await vi.waitFor(
    async () => {
      const before = unaryCalls();
      await core.listEntryPoints(key('1'));
      expect(unaryCalls()).toBe(before);
    },
    { timeout: 10_000 },
  );
}

async function connectWithStream(options: Parameters<typeof connectForTest>[0]) {
  const unaryCalls = watchUnaryCalls();
  const core = connectForTest(options);
  await waitForStream(core, unaryCalls);
  return { core, unaryCalls };
}

test('many calls at once travel together, and each gets its own answer', async () => {
  const { address } = await startCore();
  const { core, unaryCalls } = await connectWithStream({ address });
  const before = unaryCalls();
  const numbers = Array.from({ length: 500 }, (_, index) => index);
  const answers = await Promise.all(numbers.map((number) => core.listEntryPoints(key(String(number)))));
  expect(answers).toStrictEqual(numbers.map((number) => accept([addressOf(number)])));
  expect(unaryCalls()).toBe(before);
});

test('a call that is too long and one of the management are sent on their own', async () => {
  const { address, far } = await startCore();
  far.answerWith('listAccounts', async () => accept([]));
  const { core, unaryCalls } = await connectWithStream({ address });
  const before = unaryCalls();
  await core.listEntryPoints(key(`${'0'.repeat(40_000)}3`));
  await core.listAccounts({});
  expect(unaryCalls()).toBe(before + 2);
});

test('a core that is older and has no streams answers each call on its own', async () => {
  const { addService: add } = Server.prototype;
  const addService = vi.spyOn(Server.prototype, 'addService').mockImplementation(function (this: Server, ...service) {
    if (!('exchange' in service[0])) add.apply(this, service);
  });
  onTestFinished(() => addService.mockRestore());
  const { address } = await startCore();
  const core = connectForTest({ address });
  for (let call = 0; call < 20; call += 1)
    expect(await core.listEntryPoints(key('4'))).toStrictEqual(accept([addressOf(4)]));
});

test('a core with too many streams answers each call on its own', async () => {
  const { address } = await startCore({ limits: { maxCallStreams: 1 } });
  const first = await connectWithStream({ address });
  const second = connectForTest({ address });
  for (let call = 0; call < 20; call += 1) {
    expect(await second.listEntryPoints(key('5'))).toStrictEqual(accept([addressOf(5)]));
  }
  const before = first.unaryCalls();
  await second.listEntryPoints(key('5'));
  expect(first.unaryCalls()).toBe(before + 1);
});

test('a core that does not respond in time is unavailable, and its late answer is no other call’s', async () => {
  const { address, far } = await startCore();
  const { core } = await connectWithStream({ address, deadlineMs: 300 });
  let finish: () => void = () => undefined;
  far.answerWith('shareLimits', async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return accept([]);
  });
  const late = core.shareLimits({ uses: [] });
  await expect(late).rejects.toThrow(/DEADLINE_EXCEEDED/);
  await expect(late).rejects.toBeInstanceOf(CoreUnavailableError);
  finish();
  expect(await core.listEntryPoints(key('6'))).toStrictEqual(accept([addressOf(6)]));
});

test('the core gives up a call when its client does', async () => {
  const { address, far, lines } = await startCore();
  const { core } = await connectWithStream({ address, deadlineMs: 200 });
  far.answerWith('listEntryPoints', never);
  await expect(core.listEntryPoints(key('1'))).rejects.toBeInstanceOf(CoreUnavailableError);
  await vi.waitFor(() => expect(lines.map(({ message }) => message)).toContain('gRPC call exceeded its time limit'));
});

test('a core whose slots are all taken has begun with nothing, and another one is asked', async () => {
  const full = await startCore({ limits: { maxConcurrentCalls: 1, drainMs: 10 } });
  const { core } = await connectWithStream({ address: full.address });
  full.far.answerWith('shareLimits', never);
  core.shareLimits({ uses: [] }).catch(() => undefined);
  await vi.waitFor(() => expect(full.far.calls.at(-1)?.name).toBe('shareLimits'));
  await expect(core.listEntryPoints(key('1'))).rejects.toMatchObject({ notBegun: true, isOverload: true });
});

test('an exception of the core is logged with an id, which is all that the gateway learns', async () => {
  const { address, far, lines } = await startCore();
  const { core } = await connectWithStream({ address });
  far.answerWith('shareLimits', () => Promise.reject(new Error('SQLITE_CORRUPT in /var/lib/secret.db')));
  await expect(core.shareLimits({ uses: [] })).rejects.toThrow(/\(INTERNAL: internal error [0-9a-f-]{36}\)$/);
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
});

test('where a core is lost with a call, another one is asked what may be done twice, and nothing else', async () => {
  for (const name of ['listEntryPoints', 'shareLimits'] as const) {
    const lost = await startCore({ limits: { drainMs: 10 } });
    const other = await startCore();
    let isServing = false; // so that the one that is lost is asked first
    other.far.status = async () => [{ part: 'store', ready: isServing, detail: '' }];
    const unaryCalls = watchUnaryCalls();
    const core = connectForTest({ address: [lost.address, other.address] });
    await vi.waitFor(async () => expect(await core.status()).toHaveLength(2), { timeout: 5_000 });
    await waitForStream(core, unaryCalls);
    lost.far.answerWith(name, () => {
      isServing = true;
      lost.close();
      return never();
    });
    const [before, beforeOther] = [lost.far.calls.length, other.far.calls.length];
    const answer = name === 'listEntryPoints' ? core.listEntryPoints(key('7')) : core.shareLimits({ uses: [] });
    if (name === 'listEntryPoints') expect(await answer).toStrictEqual(accept([addressOf(7)]));
    else await expect(answer).rejects.toMatchObject({ name: 'CoreUnavailableError', notBegun: false });
    expect(lost.far.calls).toHaveLength(before + 1);
    expect(other.far.calls).toHaveLength(beforeOther + (name === 'listEntryPoints' ? 1 : 0));
  }
});

test('while a core stops not one call fails, and none is carried out twice', async () => {
  const first = await startCore({ limits: { noticeMs: 1_500 } });
  const second = await startCore();
  const unaryCalls = watchUnaryCalls();
  const core = connectForTest({ address: [first.address, second.address] });
  await waitForStream(core, unaryCalls);
  const before = first.far.calls.length + second.far.calls.length;
  let going = true;
  const clients = Array.from({ length: 8 }, async () => {
    let calls = 0;
    for (; going; calls += 1) await core.shareLimits({ uses: [] });
    return calls;
  });
  const asked = first.far.calls.length;
  await vi.waitFor(() => expect(first.far.calls.length).toBeGreaterThan(asked + 20));
  await first.close();
  const askedSecond = second.far.calls.length;
  await vi.waitFor(() => expect(second.far.calls.length).toBeGreaterThan(askedSecond + 20));
  going = false;
  const calls = (await Promise.all(clients)).reduce((sum, one) => sum + one, 0);
  expect(first.far.calls.length + second.far.calls.length).toBe(before + calls);
});

test('a server that closes lets calls end that have begun, without waiting for the stream', async () => {
  const { address, far, close } = await startCore({ limits: { drainMs: 60_000 } });
  const { core } = await connectWithStream({ address });
  let closed: Promise<void> | undefined;
  far.answerWith('shareLimits', async () => {
    closed = close();
    await new Promise((resolve) => setImmediate(resolve));
    return accept([]);
  });
  expect(await core.shareLimits({ uses: [] })).toStrictEqual(accept([]));
  await closed;
});

test('a client outlives its server, and has a stream with the next one', async () => {
  const first = await startCore();
  const { core, unaryCalls } = await connectWithStream({ address: first.address });
  await first.close();
  await expect(core.listEntryPoints(key('8'))).rejects.toMatchObject({ notBegun: true });

  await startCore({ address: first.address });
  await vi.waitFor(async () => expect(await core.listEntryPoints(key('8'))).toStrictEqual(accept([addressOf(8)])), {
    timeout: 10_000,
  });
  await waitForStream(core, unaryCalls);
});

test('a server that answers with bytes that are no message loses its stream, and the gateway goes on', async () => {
  const { address } = await startCore();
  const { core, unaryCalls } = await connectWithStream({ address });
  const read = vi.spyOn(answerFrame, 'read').mockImplementation(() => {
    throw new Error('premature EOF');
  });
  onTestFinished(() => read.mockRestore());
  // It does no harm twice, but there is no other core to ask.
  await expect(core.listEntryPoints(key('1'))).rejects.toBeInstanceOf(CoreUnavailableError);
  const before = unaryCalls();
  expect(await core.listEntryPoints(key('9'))).toStrictEqual(accept([addressOf(9)]));
  expect(unaryCalls()).toBe(before + 1);
});
