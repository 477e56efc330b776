import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Core } from '../../core/domain/core.ts';
import { accept } from '../../core/domain/result/result.ts';
import { limitsInMemory, limitsInStore, shareLimits } from '../../core/management/share-limits.ts';
import { openStore } from '../../core/store/open-store.ts';
import { defaultGatewayLimits, type GatewayLimits } from '../../gateway/gateway-limits.ts';
import { type AccessLimits, createAccessLimits } from '../../gateway/limits/access-limits.ts';
import { createLimitSharing } from '../../gateway/limits/limit-sharing.ts';
import { rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { isOnPostgres, testDatabase } from '../support/store/test-database.ts';

function createStillClock() {
  let now = 1_700_000_000_000;
  return {
    now: () => now,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

type Sharing = Pick<Core, 'shareLimits'>;
const digest = (name: string) => `digest of ${name.length} ${name.slice(-12)}`;

/** One core in memory, or two at one database: of a file, both in one process. */
async function openCores(kind: 'in memory' | 'in the database', clock: { now(): number }): Promise<readonly Sharing[]> {
  if (kind === 'in memory') return [shareLimits({ book: limitsInMemory(), clock, digest })];
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-limits-'));
  const database = await testDatabase(folder);
  const stores = [await openStore(database)];
  if (isOnPostgres) stores.push(await openStore(database));
  onTestFinished(async () => {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true });
  });
  return stores.map((store) => shareLimits({ book: limitsInStore(store), clock, digest }));
}

/** As many gateways, each with its own memory, before the cores in turn. */
function openGateways(
  count: number,
  cores: readonly Sharing[],
  clock: { now(): number },
  limits = defaultGatewayLimits,
) {
  const keeper = createRecordingLogger();
  const gateways = Array.from({ length: count }, (_, index) => {
    const core = cores[index % cores.length] ?? expect.fail();
    const sharing = createLimitSharing({ core, maxKeys: limits.trackedClients, clock, logger: keeper.logger });
    return { sharing, limits: createAccessLimits(limits, clock, sharing) };
  });
  return { gateways, keeper };
}

const { requestBurst, requestsPerSecond, failedLoginsPerMinute } = defaultGatewayLimits;

describe.each(['in memory', 'in the database'] as const)('limits that are shared %s', (kind) => {
  test('let through at the rate of one gateway, however many there are, next to a burst of each', async () => {
    const clock = createStillClock();
    const { gateways } = openGateways(3, await openCores(kind, clock), clock);
    const seconds = 60;
    let through = 0;
    for (let tick = 0; tick < seconds; tick += 1) {
      for (const { limits } of gateways) {
        for (let call = 0; call < 400; call += 1) if (limits.takeRpcCall('key', '198.51.100.1') === 0) through += 1;
      }
      for (const { sharing } of gateways) await sharing.exchange();
      clock.advance(1_000);
    }
    expect(through).toBeLessThanOrEqual(seconds * requestsPerSecond + gateways.length * requestBurst);
    // Nor fewer: what was let through at first is paid back by then.
    expect(through).toBeGreaterThan(0.9 * seconds * requestsPerSecond);
  });

  test('count a failed login at every gateway from the next second on', async () => {
    const clock = createStillClock();
    const { gateways } = openGateways(2, await openCores(kind, clock), clock);
    const [one, other] = gateways;
    if (one === undefined || other === undefined) return expect.fail();
    for (let login = 0; login < failedLoginsPerMinute; login += 1) one.limits.takeFailedLogin('198.51.100.1');
    await one.sharing.exchange();
    other.limits.takeFailedLogin('198.51.100.1');
    other.limits.takeFailedLogin('198.51.100.1');
    await other.sharing.exchange();
    expect(other.limits.takeFailedLogin('198.51.100.1')).toBeGreaterThan(0);
    expect(other.limits.takeFailedLogin('198.51.100.2')).toBe(0);
  });
});

/** What happens at a gateway: it waits, is asked, gives a request back, or a word with the core goes on by one step. */
const happenings = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), by: fc.integer({ min: 0, max: 1_500 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), by: fc.integer({ min: 0, max: 60_000 }) }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask' as const), by: fc.integer({ min: 1, max: 30 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('give back' as const), by: fc.integer({ min: 1, max: 3 }) }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('tell' as const), by: fc.constant(0) }) },
  ),
  { maxLength: 60 },
);

const someLimits = fc
  .record({ requestBurst: fc.integer({ min: 1, max: 40 }), requestsPerSecond: fc.integer({ min: 1, max: 60 }) })
  .map((limits): GatewayLimits => ({ ...defaultGatewayLimits, ...limits }));

/** A core whose answers take their time: each `step` lets a question arrive, or its answer. */
function createSlowCore(core: Sharing) {
  const waiting: (() => void)[] = [];
  const turn = () => new Promise<void>((resolve) => waiting.push(resolve));
  return {
    core: {
      async shareLimits(input) {
        await turn();
        const answer = await core.shareLimits(input);
        await turn();
        return answer;
      },
    } satisfies Sharing,
    async step() {
      waiting.shift()?.();
      // The answer goes through a few promises before someone waits again.
      for (let hop = 0; hop < 20; hop += 1) await Promise.resolve();
    },
  };
}

test('one gateway lets through what it does alone, however long words with the core take', async () => {
  await fc.assert(
    fc.asyncProperty(someLimits, happenings, fc.boolean(), async (limits, events, isSlow) => {
      const clock = createStillClock();
      const [core] = await openCores('in memory', clock);
      const slow = createSlowCore(core ?? expect.fail());
      const used = isSlow ? slow.core : (core ?? expect.fail());
      const [gateway] = openGateways(1, [used], clock, limits).gateways;
      const { sharing, limits: shared } = gateway ?? expect.fail();
      const alone = createAccessLimits(limits, clock);
      const answers: [unknown, unknown][] = [];
      const both = (what: (one: AccessLimits) => unknown) => answers.push([what(shared), what(alone)]);
      both((one) => one.rememberRpcKey('key', 'accepted', '198.51.100.1'));
      for (const { kind, by } of events) {
        if (kind === 'wait') clock.advance(by);
        if (kind === 'tell') {
          const reported = sharing.exchange();
          await (isSlow ? slow.step() : reported);
        }
        if (kind === 'ask')
          for (let call = 0; call < by; call += 1) both((one) => one.takeRpcCall('key', '198.51.100.1'));
        if (kind === 'give back')
          for (let call = 0; call < by; call += 1) both((one) => one.giveBackRpcCall('key', '198.51.100.1'));
      }
      expect(answers.map(([one]) => one)).toEqual(answers.map(([, other]) => other));
    }),
    { numRuns: 40 },
  );
});

test('several gateways never let more through than one, next to a burst and a second of each', async () => {
  const who = fc.subarray([0, 1, 2]);
  const asked = fc.array(fc.tuple(who, fc.nat({ max: 900 }), fc.nat({ max: 60 })), { maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(someLimits, asked, async (limits, calls) => {
      const clock = createStillClock();
      const { gateways } = openGateways(3, await openCores('in memory', clock), clock, limits);
      const began = clock.now();
      let [through, toTell] = [0, began];
      for (const [indexes, wait, count] of calls) {
        clock.advance(wait);
        for (; toTell <= clock.now(); toTell += 1_000) for (const { sharing } of gateways) await sharing.exchange();
        for (const index of indexes) {
          for (let call = 0; call < count; call += 1) {
            if (gateways[index]?.limits.takeRpcCall('key', '198.51.100.1') === 0) through += 1;
          }
        }
        const rate = limits.requestsPerSecond;
        const most = ((clock.now() - began) / 1_000) * rate + gateways.length * (limits.requestBurst + rate);
        expect(through).toBeLessThanOrEqual(most);
      }
    }),
    { numRuns: 40 },
  );
});

test('gateways that take turns let through what one does', async () => {
  const clock = createStillClock();
  const { gateways } = openGateways(2, await openCores('in memory', clock), clock);
  // At the start of each second and at 700 ms of it, as much as comes back until the next time.
  const ask = (tick: number, calls: number) => {
    for (let call = 0; call < calls; call += 1) {
      expect(gateways[tick % 2]?.limits.takeRpcCall('key', '198.51.100.1')).toBe(0);
    }
  };
  for (let tick = 0; tick < 60; tick += 1) {
    ask(tick, 0.7 * requestsPerSecond);
    clock.advance(700);
    ask(tick + 1, 0.3 * requestsPerSecond);
    clock.advance(300);
    for (const { sharing } of gateways) await sharing.exchange();
  }
  ask(0, requestBurst);
});

test('who uses little costs no word with the core', async () => {
  const clock = createStillClock();
  const core = { shareLimits: vi.fn(async () => accept([])) };
  const { gateways } = openGateways(1, [core], clock);
  for (let client = 0; client < 500; client += 1) gateways[0]?.limits.takeRpcCall('key', `client ${client}`);
  await gateways[0]?.sharing.exchange();
  expect(core.shareLimits).not.toHaveBeenCalled();
});

test('while the core does not respond each gateway has its own limits, says so once, and tells later', async () => {
  const clock = createStillClock();
  const [real] = await openCores('in memory', clock);
  let isThere = false;
  const core: Sharing = {
    shareLimits: (input) =>
      isThere && real !== undefined ? real.shareLimits(input) : Promise.reject(new Error('gone')),
  };
  const { gateways, keeper } = openGateways(2, [core], clock);
  const use = (index: number) => {
    let through = 0;
    while (gateways[index]?.limits.takeRpcCall('key', '198.51.100.1') === 0) through += 1;
    return through;
  };
  expect([use(0), use(1)]).toEqual([requestBurst, requestBurst]);
  for (let tick = 0; tick < 3; tick += 1) for (const { sharing } of gateways) await sharing.exchange();
  const complaints = keeper.lines.filter((line) => JSON.stringify(line).includes('Limits cannot be shared'));
  expect(complaints).toHaveLength(gateways.length);
  isThere = true;
  for (const { sharing } of gateways) await sharing.exchange();
  // Both have had a burst, so one of them is to be waited for before anything goes.
  clock.advance((1_000 * requestBurst) / requestsPerSecond);
  expect(use(1)).toBe(0);
});

test('a gateway tells its core of who uses much, and does as it says', async () => {
  const reported = vi.fn<Core['shareLimits']>(async ({ uses }) =>
    accept(uses.map(() => ({ left: -5_000, used: 100 }))),
  );
  const { url } = await startTestGateway({ core: { shareLimits: reported }, limits: { requestBurst: 8 } });
  const call = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };
  expect((await send(`${url}${rpcPath}`, 'POST', { json: call })).status).toBe(200);
  await vi.waitFor(() => expect(reported).toHaveBeenCalled(), { timeout: 10_000 });
  expect(reported.mock.calls[0]?.[0].uses).toContainEqual({
    name: 'address 127.0.0.1',
    burst: 8,
    used: 1,
    perMinute: requestsPerSecond * 60,
    beganMsAgo: expect.any(Number),
  });
  await vi.waitFor(async () => expect((await send(`${url}${rpcPath}`, 'POST', { json: call })).status).toBe(429));
});

test('a core counts for so many limits at once and no more', async () => {
  const [core] = await openCores('in memory', createStillClock());
  const use = { name: 'x', burst: 1, perMinute: 1, used: 1, beganMsAgo: 0 };
  expect(await core?.shareLimits({ uses: Array.from({ length: 1_001 }, () => use) })).toMatchObject({
    refusal: { reason: 'INVALID_FIELD', field: 'uses' },
  });
});
