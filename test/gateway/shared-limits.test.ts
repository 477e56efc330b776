import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Core } from '../../core/domain/core.ts';
import { accept } from '../../core/domain/result/result.ts';
import { limitsInMemory, limitsInStore, shareLimits } from '../../core/management/limits/share-limits.ts';
import { openStore } from '../../core/store/open-store.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { createAccessLimits } from '../../gateway/limits/access-limits.ts';
import { createLimitSharing } from '../../gateway/limits/limit-sharing.ts';
import { createLogKeeper, rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';
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
function openGateways(count: number, cores: readonly Sharing[], clock: { now(): number }) {
  const keeper = createLogKeeper();
  const gateways = Array.from({ length: count }, (_, index) => {
    const core = cores[index % cores.length] ?? expect.fail();
    const sharing = createLimitSharing(core, defaultGatewayLimits.trackedClients, keeper.logger);
    return { sharing, limits: createAccessLimits(defaultGatewayLimits, clock, sharing) };
  });
  return { gateways, keeper };
}

const { requestBurst, requestsPerSecond, failedLoginsPerMinute } = defaultGatewayLimits;

describe.each(['in memory', 'in the database'] as const)('limits that are shared %s', (kind) => {
  test('let through at the rate of one gateway, however many there are, beside a burst of each', async () => {
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

test('who uses little costs no word with the core', async () => {
  const clock = createStillClock();
  const core = { shareLimits: vi.fn(async () => accept([])) };
  const { gateways } = openGateways(1, [core], clock);
  for (let client = 0; client < 500; client += 1) gateways[0]?.limits.takeRpcCall('key', `client ${client}`);
  await gateways[0]?.sharing.exchange();
  expect(core.shareLimits).not.toHaveBeenCalled();
});

test('while the core does not answer each gateway has its own limits, says so once, and tells later', async () => {
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
  const told = vi.fn<Core['shareLimits']>(async ({ uses }) => accept(uses.map(() => -5_000)));
  const { url } = await startTestGateway({ core: { shareLimits: told }, limits: { requestBurst: 8 } });
  const call = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };
  expect((await send(`${url}${rpcPath}`, 'POST', { json: call })).status).toBe(200);
  await vi.waitFor(() => expect(told).toHaveBeenCalled(), { timeout: 10_000 });
  expect(told.mock.calls[0]?.[0].uses).toContainEqual({
    ...{ name: 'address 127.0.0.1', burst: 8, used: 1 },
    perMinute: requestsPerSecond * 60,
  });
  await vi.waitFor(async () => expect((await send(`${url}${rpcPath}`, 'POST', { json: call })).status).toBe(429));
});

test('a core counts for so many limits at once and no more', async () => {
  const [core] = await openCores('in memory', createStillClock());
  const use = { name: 'x', burst: 1, perMinute: 1, used: 1 };
  expect(await core?.shareLimits({ uses: Array.from({ length: 1_001 }, () => use) })).toMatchObject({
    refusal: { reason: 'INVALID_FIELD', field: 'uses' },
  });
});
