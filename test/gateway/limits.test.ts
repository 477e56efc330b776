import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { scopes } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import { accept } from '../../core/domain/result/result.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { createAccessLimits, createSlots } from '../../gateway/limits/access-limits.ts';
import { createTokenBuckets } from '../../gateway/limits/token-buckets.ts';
import { apiKey, authToken, chainId, paymasterId, refusal, signed } from '../support/gateway/fake-core.ts';
import { prefix, rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

/** A clock that stands still until it is moved. */
function createStillClock() {
  let now = 1_700_000_000_000;
  return {
    now: () => now,
    advance(milliseconds: number) {
      now += milliseconds;
    },
  };
}

const call = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };
const tooManyLogins = { statusCode: 429, message: 'Too many failed logins from this address' };

async function repeat<T>(times: number, action: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < times; index += 1) {
    results.push(await action());
  }
  return results;
}

describe('failed logins of an address', () => {
  test('are limited to 20, then 429 with Retry-After, until time has passed', async () => {
    const clock = createStillClock();
    const { url } = await startTestGateway({ clock });
    const login = (token: string) => send(`${url}${prefix}/paymaster`, 'GET', { headers: { authToken: token } });
    const wrong = await repeat(20, () => login('tf_wrong'));
    expect(new Set(wrong.map(({ status }) => status))).toStrictEqual(new Set([401]));
    const blocked = await login('tf_wrong');
    expect([blocked.status, blocked.body]).toStrictEqual([429, tooManyLogins]);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    // 20 a minute is one in three seconds.
    clock.advance(3_000);
    expect([(await login('tf_wrong')).status, (await login('tf_wrong')).status]).toStrictEqual([401, 429]);
    clock.advance(60_000);
    expect((await login('tf_wrong')).status).toBe(401);
  });

  test('never lock out who has the right token, behind the same address as others', async () => {
    const { url } = await startTestGateway({ clock: createStillClock() });
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const login = (token: string) =>
      send(`${url}${prefix}/paymaster`, 'GET', { headers: { ...headers, authToken: token } });
    await repeat(45, () => login('tf_wrong'));
    expect((await login('tf_wrong')).status).toBe(429);
    expect((await login(authToken)).status).toBe(200);
    // Nor who has an RPC key that was not seen yet.
    expect((await send(`${url}${rpcPath}`, 'POST', { headers, json: call })).status).toBe(200);
  });

  test('do not count headers that are missing', async () => {
    const { url } = await startTestGateway({ clock: createStillClock() });
    await repeat(30, () => send(`${url}${prefix}/paymaster`, 'GET'));
    expect((await send(`${url}${prefix}/paymaster`, 'GET', { headers: { authToken } })).status).toBe(200);
  });

  test('are counted per socket address, whatever X-Forwarded-For says', async () => {
    const { url } = await startTestGateway({ clock: createStillClock() });
    const hops = Array.from({ length: 21 }, (_, index) => `198.51.100.${index}`);
    const wrong = () =>
      send(`${url}${prefix}/paymaster`, 'GET', {
        headers: { authToken: 'tf_wrong', 'x-forwarded-for': hops.pop() ?? '' },
      });
    await repeat(20, wrong);
    expect((await wrong()).status).toBe(429);
    const elsewhere = await send(`${url}${prefix}/paymaster`, 'GET', {
      headers: { authToken },
      localAddress: '127.0.0.2',
    });
    expect(elsewhere.status).toBe(200);
  });

  test('are counted per forwarded address behind a trusted proxy', async () => {
    const { url } = await startTestGateway({ clock: createStillClock(), trustedProxies: ['127.0.0.0/8'] });
    const login = (token: string, client: string) =>
      send(`${url}${prefix}/paymaster`, 'GET', { headers: { authToken: token, 'x-forwarded-for': client } });
    await repeat(20, () => login('tf_wrong', '198.51.100.1'));
    expect((await login('tf_wrong', '198.51.100.1')).status).toBe(429);
    expect((await login('tf_wrong', '198.51.100.2')).status).toBe(401);
  });

  test('count wrong RPC keys: then -32005, but a key known to be good is still served', async () => {
    const { url } = await startTestGateway({ clock: createStillClock() });
    const rpc = (key: string) => send(`${url}/api/v2/${chainId}/${key}`, 'POST', { json: call });
    expect((await rpc(apiKey)).status).toBe(200);
    const wrong = await repeat(20, () => rpc('wrong.key'));
    expect(new Set(wrong.map(({ status }) => status))).toStrictEqual(new Set([401]));
    const blocked = await rpc('another.key');
    expect(blocked.status).toBe(429);
    expect(blocked.body).toMatchObject({ id: 1, error: { code: -32005, data: { reason: 'RATE_LIMITED' } } });
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    expect((await rpc(apiKey)).status).toBe(200);
  });
});

describe('requests at once', () => {
  /** A core whose answers wait until they are let go. */
  function createSlowCore() {
    const held: (() => void)[] = [];
    const getFeeQuoteOrData: Core['getFeeQuoteOrData'] = () =>
      new Promise((resolve) => held.push(() => resolve(accept(signed))));
    return { held, getFeeQuoteOrData };
  }

  test('beyond the limit are refused without waiting, and taken again when one is answered', async () => {
    const { held, getFeeQuoteOrData } = createSlowCore();
    const { url } = await startTestGateway({ core: { getFeeQuoteOrData }, limits: { requestsAtOnce: 2 } });
    const ask = (json: unknown, localAddress = '127.0.0.1') => send(`${url}${rpcPath}`, 'POST', { json, localAddress });
    const first = ask(call);
    const batch = ask([call], '127.0.0.2');
    await vi.waitFor(() => expect(held).toHaveLength(2));

    const refused = await ask({ ...call, id: 'third' });
    expect([refused.status, refused.headers['retry-after']]).toStrictEqual([429, '1']);
    expect(refused.body).toMatchObject({ id: 'third', error: { code: -32005, data: { reason: 'RATE_LIMITED' } } });
    expect((await ask([call, call])).body).toMatchObject({ id: null, error: { code: -32005 } });
    expect((await ask(call, '127.0.0.3')).status).toBe(429);

    held.shift()?.();
    expect((await first).status).toBe(200);
    const next = ask(call);
    await vi.waitFor(() => expect(held).toHaveLength(2));
    for (const release of held) release();
    expect([(await batch).status, (await next).status]).toStrictEqual([200, 200]);
  });

  test('are a quarter for one address: it keeps no other one out', async () => {
    const { held, getFeeQuoteOrData } = createSlowCore();
    const { url } = await startTestGateway({ core: { getFeeQuoteOrData }, limits: { requestsAtOnce: 8 } });
    const ask = (localAddress: string) => send(`${url}${rpcPath}`, 'POST', { json: call, localAddress });
    const flood = Array.from({ length: 8 }, () => ask('127.0.0.1'));
    await vi.waitFor(() => expect(held).toHaveLength(2));
    const honest = ask('127.0.0.2');
    await vi.waitFor(() => expect(held).toHaveLength(3));
    for (const release of held) release();
    expect((await honest).status).toBe(200);
    const statuses = (await Promise.all(flood)).map(({ status }) => status).sort();
    expect(statuses).toStrictEqual([200, 200, ...Array(6).fill(429)]);
  });

  test('are none whose body is still on its way: slow senders keep no one out', async () => {
    const { url } = await startTestGateway({ limits: { requestsAtOnce: 1 } });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(`POST ${rpcPath} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n`);
    // The gateway has read the head.
    await once(socket, 'data');
    expect((await send(`${url}${rpcPath}`, 'POST', { json: call })).status).toBe(200);
  });
});

describe('bodies', () => {
  test('that are half sent are given up when all of them fill their memory, the oldest first', async () => {
    const { url } = await startTestGateway({ limits: { unfinishedBodyBytes: 100_000 } });
    const { hostname, port } = new URL(url);
    const half = async (path: string) => {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthtoken: ${authToken}\r\napikey: ${apiKey}\r\n`;
      socket.write(`${head}content-length: 60000\r\nexpect: 100-continue\r\n\r\n`);
      await once(socket, 'data');
      socket.write(' '.repeat(40_000));
      return socket;
    };
    const answers = new Map<string, string>();
    for (const path of [rpcPath, `${prefix}/webhook`, rpcPath]) {
      const name = `${answers.size + 1}`;
      answers.set(name, '');
      (await half(path)).on('data', (data) => answers.set(name, answers.get(name) + String(data)));
    }
    await vi.waitFor(() => expect(answers.get('1')).toContain('HTTP/1.1 408'));
    expect((await send(`${url}${rpcPath}`, 'POST', { json: call })).status).toBe(200);
    await half(rpcPath);
    await vi.waitFor(() => expect(answers.get('2')).toContain('Request was not received in time'));
    expect(answers.get('3')).toBe('');
  });

  test('with more values than any honest one are refused before they are parsed', async () => {
    const { url } = await startTestGateway();
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`x${number}`, 0]));
    const tooLarge = { status: 413, body: { error: { message: 'Request body is too large' } } };
    expect(await send(`${url}${rpcPath}`, 'POST', { json: { ...call, params: [wide, {}] } })).toMatchObject(tooLarge);
    const webhook = { webhookUrl: 'https://a.example', requestType: 'GET' };
    const create = (body: object) =>
      send(`${url}${prefix}/webhook`, 'POST', { json: body, headers: { authToken, apiKey } });
    const refused = { status: 413, body: { message: 'Request body is too large' } };
    expect(await create({ ...webhook, ...wide })).toMatchObject(refused);
    // A hundred unknown fields are ignored, as the interface has it.
    const some = (count: number) => Object.fromEntries(Object.entries(wide).slice(0, count));
    expect((await create({ ...webhook, ...some(100) })).status).toBe(200);
    expect((await create({ ...webhook, ...some(101) })).status).toBe(400);
  });
});

describe('requests of an apiKey', () => {
  test('may come in a burst, then at the rate, each element of a batch counted', async () => {
    const clock = createStillClock();
    const { url } = await startTestGateway({ clock, limits: { requestsPerSecond: 2, requestBurst: 10 } });
    const rpc = (json: unknown) => send(`${url}${rpcPath}`, 'POST', { json });
    // The first request makes the key known, the batch uses up the rest of its burst.
    await rpc(call);
    const batch = await rpc(Array.from({ length: 12 }, () => call));
    const codes = (batch.body as { error?: { code: number } }[]).map(({ error }) => error?.code);
    expect(batch.status).toBe(200);
    expect(codes).toStrictEqual([...Array(9).fill(undefined), -32005, -32005, -32005]);
    const single = await rpc(call);
    expect([single.status, single.headers['retry-after']]).toStrictEqual([429, '1']);
    clock.advance(1_000);
    const later = await repeat(3, () => rpc(call));
    expect(later.map(({ status }) => status)).toStrictEqual([200, 200, 429]);
  });

  test('are not used up by requests that are none: those count under their address', async () => {
    const clock = createStillClock();
    const { url } = await startTestGateway({ clock, limits: { requestsPerSecond: 2, requestBurst: 50 } });
    const from = (localAddress: string, json: unknown) => send(`${url}${rpcPath}`, 'POST', { json, localAddress });
    await from('127.0.0.1', call);
    const { body } = await from('127.0.0.2', [
      ...Array.from({ length: 20 }, () => ({})),
      ...Array.from({ length: 15 }, () => ({ ...call, method: 'none' })),
      ...Array.from({ length: 15 }, () => ({ ...call, params: [5] })),
    ]);
    const codes = (body as { error: { code: number } }[]).map(({ error }) => error.code);
    expect(new Set(codes)).toStrictEqual(new Set([-32600, -32601, -32602]));
    expect((await from('127.0.0.2', {})).status).toBe(429);
    const honest = await from(
      '127.0.0.3',
      Array.from({ length: 49 }, () => call),
    );
    expect((honest.body as { error?: unknown }[]).filter(({ error }) => error !== undefined)).toEqual([]);
  });

  test('that was deleted are told so, and not that others have used it up', async () => {
    let isThere = true;
    const getFeeQuoteOrData = async () => (isThere ? accept(signed) : refusal('UNAUTHORIZED'));
    const { url } = await startTestGateway({
      core: { getFeeQuoteOrData },
      clock: createStillClock(),
      limits: { requestBurst: 5 },
    });
    const from = (localAddress: string) => send(`${url}${rpcPath}`, 'POST', { json: call, localAddress });
    for (const _ of [1, 2, 3, 4]) expect((await from('127.0.0.2')).status).toBe(200);
    isThere = false;
    expect((await from('127.0.0.3')).status).toBe(401);
    expect((await from('127.0.0.4')).status).toBe(401);
  });

  test('are limited over all addresses', async () => {
    const { url } = await startTestGateway({ clock: createStillClock(), limits: { requestBurst: 3 } });
    const from = async (localAddress: string) =>
      (await send(`${url}${rpcPath}`, 'POST', { json: call, localAddress })).status;
    for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7'])
      expect(await from(address)).toBe(200);
    expect(await from('127.0.0.8')).toBe(429);
  });

  test.each([1, 2, 5])('are left for an honest address, whatever %i others ask with each of five keys', (floods) => {
    const clock = createStillClock();
    const limits = createAccessLimits(defaultGatewayLimits, clock);
    const keys = ['one', 'two', 'three', 'four', 'five'];
    const honest = '203.0.113.9';
    for (const key of keys) limits.rememberRpcKey(key, 'accepted', '192.0.2.1');
    const refused = new Map(keys.map((key) => [key, 0]));
    let flooded = 0;
    // A minute in steps of 5 ms: a key's flooders always ask first, the honest address once in three seconds with each.
    for (let step = 0; step < 12_000; step += 1) {
      clock.advance(5);
      for (const key of keys) {
        for (let index = 0; index < floods; index += 1) {
          if (limits.takeRpcCall(key, `flooder ${index} of ${key}`) === 0) flooded += 1;
        }
      }
      if (step % 600 !== 0) continue;
      for (const key of keys) {
        if (limits.takeRpcCall(key, honest) > 0) refused.set(key, (refused.get(key) ?? 0) + 1);
      }
    }
    // What the honest address leaves is the flooders'.
    expect(flooded).toBeGreaterThan(0.95 * keys.length * defaultGatewayLimits.requestsPerSecond * 60);
    expect(Object.fromEntries(refused)).toEqual(Object.fromEntries(keys.map((key) => [key, 0])));
  });

  test('that is made up have nothing kept for them', async () => {
    const limits = createAccessLimits({ ...defaultGatewayLimits, requestBurst: 2 }, createStillClock());
    limits.giveBackRpcCall('made up', 'one');
    const waits = ['one', 'two', 'three'].map((address) => limits.takeRpcCall('made up', address));
    expect(waits).toStrictEqual([0, 0, 0]);
  });

  test('of one address are limited over all keys', async () => {
    const { url } = await startTestGateway({ clock: createStillClock(), limits: { requestBurst: 10 } });
    const statuses = await repeat(11, () => send(`${url}/api/v2/${chainId}/guess`, 'POST', { json: {} }));
    expect(statuses.map(({ status }) => status)).toStrictEqual([...Array(10).fill(400), 429]);
    expect((await send(`${url}${rpcPath}`, 'POST', { json: call })).status).toBe(429);
    expect((await send(`${url}${rpcPath}`, 'POST', { json: call, localAddress: '127.0.0.2' })).status).toBe(200);
  });

  test('are limited for each paymaster on the management side, and for the account by itself', async () => {
    const authenticate: Core['authenticate'] = async ({ apiKey: key }) =>
      accept({ accountId: 'account', scopes, ...(key === undefined ? {} : { paymasterId: key }) });
    const { url } = await startTestGateway({
      core: { authenticate },
      clock: createStillClock(),
      limits: { managementBurst: 2 },
    });
    const ask = (path: string, key?: string) =>
      send(`${url}${prefix}${path}`, 'GET', { headers: { authToken, ...(key === undefined ? {} : { apiKey: key }) } });
    const ofOne = await repeat(3, () => ask('/gas-tank', 'one'));
    expect(ofOne.map(({ status }) => status)).toStrictEqual([200, 200, 429]);
    expect((await ask('/gas-tank', 'two')).status).toBe(200);
    expect((await ask('/paymaster')).status).toBe(200);
  });

  test('are limited for an account on the management side, however many paymasters it has', async () => {
    const authenticate: Core['authenticate'] = async ({ authToken: account = '', apiKey: key = '' }) =>
      accept({ accountId: account, scopes, paymasterId: key });
    const { url } = await startTestGateway({
      core: { authenticate },
      clock: createStillClock(),
      limits: { managementBurst: 2 },
    });
    const ask = (account: string, key: number) =>
      send(`${url}${prefix}/gas-tank`, 'GET', { headers: { authToken: account, apiKey: `${account} ${key}` } });
    const statuses: (number | undefined)[] = [];
    for (let key = 1; key <= 10; key += 1) statuses.push((await ask('greedy', key)).status);
    expect(statuses).toStrictEqual([...Array(8).fill(200), 429, 429]);
    expect((await ask('modest', 1)).status).toBe(200);
  });

  test('of an account change only so much in a day, and no credential takes the changes of the others', async () => {
    const authenticate: Core['authenticate'] = async ({ authToken: authTokenId = '' }) =>
      accept({ accountId: 'account', scopes, paymasterId, authTokenId });
    const clock = createStillClock();
    const { url } = await startTestGateway({ core: { authenticate }, clock, limits: { changesPerDay: 8 } });
    const ask = async (name: string, method: string, path: string, json?: object) =>
      (await send(`${url}${prefix}${path}`, method, { headers: { authToken: name, apiKey }, json })).status;
    const change = (name: string) => ask(name, 'PUT', '/policy', {});
    expect(await repeat(5, () => change('stolen'))).toStrictEqual([200, 200, 200, 200, 429]);
    expect(await ask('stolen', 'GET', '/policy')).toBe(200);
    expect(await ask('stolen', 'POST', '/policy/preview', {})).toBe(200);
    expect(await ask('owner', 'POST', `/notification/test`, { notificationId: 'a' })).not.toBe(429);
    expect(await change('owner')).toBe(200);
    clock.advance(86_400_000);
    expect(await change('stolen')).toBe(200);
  });

  test('are limited on the management side too', async () => {
    const { url } = await startTestGateway({ clock: createStillClock(), limits: { managementBurst: 3 } });
    const list = () => send(`${url}${prefix}/paymaster`, 'GET', { headers: { authToken } });
    const answers = await repeat(4, list);
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200, 429]);
    expect(answers[3]?.body).toStrictEqual({ statusCode: 429, message: 'Too many requests' });
  });
});

describe('token buckets', () => {
  test('remember a bounded number of keys and forget the one not seen for longest', () => {
    const buckets = createTokenBuckets({ capacity: 1, refillPerSecond: 1, maxKeys: 2, clock: createStillClock() });
    buckets.take('a');
    buckets.take('b');
    expect(buckets.take('a')).toBeGreaterThan(0);
    buckets.take('c');
    expect([buckets.has('a'), buckets.has('b'), buckets.has('c')]).toStrictEqual([true, false, true]);
  });

  test('never refill beyond their capacity, nor when the clock is set back', () => {
    const clock = createStillClock();
    const buckets = createTokenBuckets({ capacity: 2, refillPerSecond: 1, maxKeys: 10, clock });
    buckets.take('a');
    clock.advance(3_600_000);
    expect([buckets.take('a'), buckets.take('a')]).toStrictEqual([0, 0]);
    expect(buckets.take('a')).toBe(1_000);
    clock.advance(-3_600_000);
    expect(buckets.take('a')).toBe(1_000);
  });

  test('give one token back for each, and never more than they hold', () => {
    const buckets = createTokenBuckets({ capacity: 3, refillPerSecond: 1, maxKeys: 10, clock: createStillClock() });
    const take = (times: number) => Array.from({ length: times }, () => buckets.take('a'));
    expect(take(4)).toStrictEqual([0, 0, 0, 1_000]);
    buckets.giveBack('a');
    expect(take(2)).toStrictEqual([0, 1_000]);
    for (const _ of [1, 2, 3, 4, 5]) buckets.giveBack('a');
    expect(take(4)).toStrictEqual([0, 0, 0, 1_000]);
  });

  test('a charge without a token is owed, up to one capacity', () => {
    const clock = createStillClock();
    const buckets = createTokenBuckets({ capacity: 2, refillPerSecond: 1, maxKeys: 10, clock });
    for (let index = 0; index < 10; index += 1) {
      buckets.charge('a');
    }
    expect(buckets.waitFor('a')).toBe(3_000);
  });
});

describe('slots', () => {
  test('one that is given back twice is one slot', () => {
    const slots = createSlots(2);
    const giveBack = slots.take('a');
    slots.take('b');
    giveBack?.();
    giveBack?.();
    expect([slots.take('a'), slots.take('b')]).toEqual([expect.any(Function), undefined]);
  });

  test('one owner takes a quarter of them, and has it again when it gives some back', () => {
    const slots = createSlots(1_000);
    const taken = (owner: string, asked: number) =>
      Array.from({ length: asked }, () => slots.take(owner)).filter((location) => location !== undefined);
    const flood = taken('flooder', 1_000);
    expect(flood).toHaveLength(250);
    expect(taken('ann', 100)).toHaveLength(100);
    for (const giveBack of flood) giveBack();
    expect(taken('flooder', 1_000)).toHaveLength(250);
    expect(['b', 'c', 'd'].map((owner) => taken(owner, 300).length)).toEqual([250, 250, 150]);
  });

  test('what takes many slots at once counts as so many, and may exceed the share when alone', () => {
    const slots = createSlots(Infinity, 10);
    const giveBack = slots.take('a', 12);
    expect([slots.take('a', 1), slots.take('b', 6), slots.take('b', 5)]).toEqual([
      undefined,
      expect.any(Function),
      undefined,
    ]);
    giveBack?.();
    expect(
      [slots.take('a', 6), slots.take('a', 4), slots.take('a', 1)].map((location) => location !== undefined),
    ).toEqual([true, true, false]);
  });
});
