import pLimit, { type LimitFunction } from 'p-limit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Core } from '../../core/domain/core.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { type LocalCore, startLocalCore } from '../../core/local.ts';
import { openStore } from '../../core/store/open-store.ts';
import { fromWeiText } from '../../core/store/wei.ts';
import { rawUserOperation } from '../../gateway/rpc/sponsorship-request.ts';
import { accepted } from '../../server/accepted.ts';
import { systemClock } from '../../server/system-clock.ts';
import { newOperation } from '../support/interface/rpc-calls.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

/** Of a machine that is busy. */
const patience = { timeout: 60_000, interval: 50 };
const context = {
  mode: 'SPONSORED',
  calculateGasLimits: false,
  sponsorshipInfoGiven: true,
  smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
};
/** Refusals after which a client asks again. */
const comeAgain: readonly string[] = ['CHAIN_UNAVAILABLE', 'RATE_LIMITED', 'DATABASE_LOST'];
type Operation = Awaited<ReturnType<typeof newOperation>>;

describe.skipIf(!isOnPostgres)('of three cores at one database', () => {
  let service: RunningService;
  let others: readonly LocalCore[] = [];
  let cores: readonly Core[];
  /** Requests that ask a core again. If all did at once, the process would have no time for what the core waits for. */
  let turns: ReadonlyMap<Core, LimitFunction>;

  beforeAll(async () => {
    service = await startService();
    others = await Promise.all(
      ['second', 'third'].map((name) =>
        startLocalCore(service.config, { logger: silentLogger, clock: systemClock, name }),
      ),
    );
    cores = [service.core, ...others.map(({ core }) => core)];
    turns = new Map(cores.map((core) => [core, pLimit(4)]));
  });
  afterAll(async () => {
    for (const other of others) await other.close();
    await service.close();
  });

  /** A paymaster that pays from the tank of a wallet of that number, once every core signs for it. */
  async function newPaymaster(wallet: number) {
    const { accountId, authToken } = await service.issueAccount();
    const paymaster = await service.fundedPaymaster(authToken, '0.7', wallet);
    const owned = { accountId, paymasterId: paymaster.paymasterId };
    const operation = await newOperation(service.devnet, '0.7');
    for (const core of cores) {
      await vi.waitFor(async () => expect(await outcomeOf(core, paymaster.apiKey, operation)).toBe('signed'), patience);
    }
    return { ...paymaster, owned };
  }

  async function ask(core: Core, apiKey: string, operation: Operation): Promise<string> {
    const asked = core.sponsorUserOperation({
      apiKey,
      context,
      chainId: service.devnet.chainId,
      userOperation: rawUserOperation(operation),
    });
    const answer = await asked.catch((error: Error) => {
      // So many at once wait for a connection longer than they may.
      if (error.name !== 'DatabaseLostError') throw error;
    });
    if (answer === undefined) return 'DATABASE_LOST';
    return answer.ok ? 'signed' : answer.refusal.reason;
  }

  async function outcomeOf(core: Core, apiKey: string, operation: Operation): Promise<string> {
    const first = await ask(core, apiKey, operation);
    if (!comeAgain.includes(first)) return first;
    const turn = turns.get(core) ?? expect.fail();
    return turn(() =>
      vi.waitFor(async () => {
        const outcome = await ask(core, apiKey, operation);
        expect(comeAgain).not.toContain(outcome);
        return outcome;
      }, patience),
    );
  }

  /** What comes of asking for each operation at once, the cores in turn. */
  async function askForAll(apiKey: string, operations: readonly Operation[]): Promise<Record<string, number>> {
    const outcomes: Record<string, number> = {};
    await Promise.all(
      operations.map(async (operation, index) => {
        const core = cores[index % cores.length] ?? expect.fail();
        const outcome = await outcomeOf(core, apiKey, operation);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }),
    );
    return outcomes;
  }

  const newOperations = (count: number) =>
    Promise.all(Array.from({ length: count }, () => newOperation(service.devnet, '0.7')));

  /** What all cores say is held, which is what the open holds of the paymaster come to. */
  async function heldFor(owned: { readonly accountId: string; readonly paymasterId: string }) {
    const said = new Set<bigint>();
    for (const core of cores) said.add(accepted(await core.readGasTank(owned)).held);
    const store = await openStore(service.config.database);
    const rows = await store.db
      .selectFrom('holds')
      .select(['amount', 'operation_key'])
      .where('paymaster_id', '=', owned.paymasterId)
      .where('state', '=', 'live')
      .execute();
    await store.close();
    expect([...said]).toEqual([rows.reduce((sum, { amount }) => sum + fromWeiText(amount), 0n)]);
    expect(new Set(rows.map(({ operation_key }) => operation_key)).size).toBe(rows.length);
    return { holds: rows.length, wei: [...said][0] ?? 0n };
  }

  test('a limit of 37 lets 37 of 1,000 requests through that come at once', async () => {
    const { apiKey, owned } = await newPaymaster(1);
    const limit = { per: 'total', window: 'ever', unit: 'operations', max: 38n } as const; // with the one before
    accepted(await service.core.setPolicy({ ...owned, policy: { ...defaultPolicy, limits: [limit] } }));
    expect(await askForAll(apiKey, await newOperations(1_000))).toEqual({ signed: 37, LIMIT_EXCEEDED: 963 });
    expect((await heldFor(owned)).holds).toBe(38);
  });

  test('a tank with enough for 11 more signs 11', async () => {
    const { apiKey, owned, paymasterId } = await newPaymaster(4);
    const one = (await heldFor(owned)).wei;
    const { available } = accepted(await service.core.readGasTank(owned));
    const amount = available - 11n * one - one / 2n;
    accepted(await service.core.adjustTank({ paymasterId, kind: 'debit', amount, reason: 'all but a little' }));
    expect(await askForAll(apiKey, await newOperations(150))).toEqual({ signed: 11, INSUFFICIENT_FUNDS: 139 });
    expect((await heldFor(owned)).holds).toBe(12);
  });

  test('one operation that is asked for everywhere at once is held once', async () => {
    const { apiKey, owned } = await newPaymaster(5);
    const before = await heldFor(owned);
    const operation = await newOperation(service.devnet, '0.7');
    expect(
      await askForAll(
        apiKey,
        Array.from({ length: 60 }, () => operation),
      ),
    ).toEqual({ signed: 60 });
    expect((await heldFor(owned)).holds).toBe(before.holds + 1);
  });

  test('the ledger adds up after it', async () => {
    const reports = accepted(await service.core.checkLedger({ allRows: false }));
    expect(reports.map(({ state, difference }) => [state, difference])).toEqual(reports.map(() => ['compared', 0n]));
  });
});
