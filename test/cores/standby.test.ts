import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { Core } from '../../core/domain/core.ts';
import { type LocalCore, startLocalCore } from '../../core/local.ts';
import { fromWeiText } from '../../core/store/wei.ts';
import { rawUserOperation } from '../../gateway/rpc/sponsorship-request.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { systemClock } from '../../server/system-clock.ts';
import { startPostgres, type TestPostgres } from '../../tools/start-postgres.ts';
import { newOperation } from '../support/interface/rpc-calls.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { startLine } from '../support/store/breaking-line.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

/** Of a machine that is busy, after a server that was away. */
const patience = { timeout: 120_000, interval: 100 };
const context = {
  mode: 'SPONSORED',
  calculateGasLimits: false,
  sponsorshipInfoGiven: true,
  smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
};

/** Two cores at an address that moves from a server to the one that has followed it. */
describe.skipIf(!isOnPostgres)('when a standby takes over', () => {
  let postgres: TestPostgres;
  let standby: Awaited<ReturnType<TestPostgres['follow']>>;
  /** From the cores to whichever server writes, and from the standby to the first one. */
  let address: Awaited<ReturnType<typeof startLine>>;
  let replication: Awaited<ReturnType<typeof startLine>>;
  let service: RunningService;
  let other: LocalCore;
  let paymaster: DevPaymaster & { readonly accountId: string };

  beforeEach(async () => {
    postgres = await startPostgres({ losesNothing: true });
    address = await startLine(new Secret(postgres.url));
    replication = await startLine(new Secret(postgres.url));
    const database = { kind: 'postgres', url: address.url } as const;
    service = await startService({ configure: (config) => ({ ...config, database }) });
    other = await startLocalCore(service.config, { logger: silentLogger, clock: systemClock, name: 'the other' });
    const { accountId, authToken } = await service.issueAccount();
    paymaster = { ...(await service.fundedPaymaster(authToken, '0.7', 1)), accountId };
    standby = await postgres.follow(replication.url.reveal());
    await untilBothSign();
  });
  afterEach(async () => {
    await other?.close();
    await service?.close();
    address?.close();
    replication?.close();
    await standby?.stop();
    await postgres?.stop();
  });

  /** Asks for an operation that no one has asked for: its sender where it was signed, else why not. */
  async function ask(core: Core): Promise<string | { readonly reason: string }> {
    const operation = await newOperation(service.devnet, '0.7');
    const { apiKey, chainId } = paymaster;
    try {
      const answer = await core.sponsorUserOperation({
        apiKey,
        chainId,
        context,
        userOperation: rawUserOperation(operation),
      });
      return answer.ok ? String(operation.sender).toLowerCase() : { reason: answer.refusal.reason };
    } catch (error) {
      return { reason: (error as Error).name };
    }
  }

  async function signed(core: Core): Promise<string> {
    const answer = await ask(core);
    if (typeof answer === 'string') return answer;
    return expect.fail(`refused: ${answer.reason}`);
  }

  async function untilBothSign(): Promise<readonly string[]> {
    const senders: string[] = [];
    for (const { core } of [service, other]) senders.push(await vi.waitFor(() => signed(core), patience));
    return senders;
  }

  async function rowsOf<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly Row[]> {
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query<Row>(sql);
    await client.end();
    return rows;
  }

  const holdsAt = (url: string) =>
    rowsOf<{ sender: string; amount: string }>(
      url,
      "SELECT lower(sender) AS sender, amount FROM holds WHERE state = 'live'",
    );

  async function takeOver(): Promise<void> {
    postgres.signal('SIGKILL');
    await standby.promote();
    address.moveTo(standby.url);
  }

  test('and was waited for at each commit, whatever was signed is held there, and both cores go on', async () => {
    await rowsOf(postgres.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await rowsOf(postgres.url, 'SELECT pg_reload_conf()');
    const isWaitedFor = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    await vi.waitFor(async () => expect(await rowsOf(postgres.url, isWaitedFor)).toHaveLength(1), patience);
    const senders: string[] = [];
    let isLoaded = true;
    const clients = [service.core, other.core, service.core].map(async (core) => {
      while (isLoaded) {
        const answer = await ask(core);
        if (typeof answer === 'string') senders.push(answer);
      }
    });
    await vi.waitFor(() => expect(senders.length).toBeGreaterThan(10), patience);
    await takeOver();
    senders.push(...(await untilBothSign()));
    isLoaded = false;
    await Promise.all(clients);
    const holds = await holdsAt(standby.url);
    const held = holds.map(({ sender }) => sender);
    expect(new Set(held).size).toBe(held.length);
    expect(senders.filter((sender) => !held.includes(sender))).toEqual([]);
    const { accountId, paymasterId } = paymaster;
    const sum = holds.reduce((all, { amount }) => all + fromWeiText(amount), 0n);
    expect(accepted(await other.core.readGasTank({ accountId, paymasterId })).held).toBe(sum);
    for (const report of accepted(await service.core.checkLedger({ allRows: true })))
      expect(report.difference).toBe(0n);
  });

  test('and lacks what was committed, no core signs while what is out may land', async () => {
    // The one that does not lead writes what is lost, and it alone can know of that.
    const writer = other.core;
    replication.hold();
    const lost = [await signed(writer), await signed(writer)];
    await takeOver();
    const faultOf = async (core: Core) =>
      (await core.status()).find(({ part }) => part === `chain ${paymaster.chainId}`)?.detail ?? '';
    for (const { core } of [service, other]) {
      await vi.waitFor(async () => {
        expect(await ask(core)).toEqual({ reason: 'CHAIN_UNAVAILABLE' });
        expect(await faultOf(core)).toMatch(/^the database lost committed data; waiting \d+ more seconds/);
      }, patience);
    }
    const held = (await holdsAt(standby.url)).map(({ sender }) => sender);
    expect(lost.filter((sender) => held.includes(sender))).toEqual([]);
  });
});
