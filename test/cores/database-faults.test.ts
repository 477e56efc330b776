import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
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
import { commit, startLine } from '../support/store/breaking-line.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

/** Of a machine that is busy, after a server that was away. */
const patience = { timeout: 120_000, interval: 100 };
const context = {
  mode: 'SPONSORED',
  calculateGasLimits: false,
  sponsorshipInfoGiven: true,
  smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
};
/** What a client may be told while the database is away: to come again. */
const outages = ['DatabaseLostError', 'CHAIN_UNAVAILABLE', 'RATE_LIMITED'];

/** A server of its own, which no one else misses, and two cores at it, one of them over a line that can be cut. */
describe.skipIf(!isOnPostgres)('while something becomes of the database', () => {
  let postgres: TestPostgres;
  let line: Awaited<ReturnType<typeof startLine>>;
  let service: RunningService;
  let other: LocalCore;
  let paymaster: DevPaymaster & { readonly accountId: string };

  beforeAll(async () => {
    postgres = await startPostgres({ losesNothing: true });
    const url = new Secret(postgres.url);
    line = await startLine(url);
    service = await startService({ configure: (config) => ({ ...config, database: { kind: 'postgres', url } }) });
    other = await startLocalCore(
      { ...service.config, database: { kind: 'postgres', url: line.url } },
      { logger: silentLogger, clock: systemClock, name: 'the other' },
    );
    const { accountId, authToken } = await service.issueAccount();
    paymaster = { ...(await service.fundedPaymaster(authToken, '0.7', 1)), accountId };
    await untilBothSign();
  });
  afterAll(async () => {
    await other?.close();
    await service?.close();
    line?.close();
    await postgres?.stop();
  });

  /** Asks for an operation that no one has asked for: its sender where it was signed, else why not. */
  async function ask(core: Core): Promise<{ readonly sender: string } | { readonly reason: string }> {
    const operation = await newOperation(service.devnet, '0.7');
    const { apiKey, chainId } = paymaster;
    const answer = await core
      .sponsorUserOperation({ apiKey, chainId, context, userOperation: rawUserOperation(operation) })
      .catch((error: Error) => (outages.includes(error.name) ? error.name : String(error)));
    if (typeof answer === 'string') return { reason: answer };
    return answer.ok ? { sender: String(operation.sender) } : { reason: answer.refusal.reason };
  }

  async function untilBothSign(): Promise<void> {
    for (const core of [service.core, other.core]) {
      await vi.waitFor(async () => expect(await ask(core)).toHaveProperty('sender'), patience);
    }
  }

  /** Lets both cores sign all the time while something is done: whom they signed for, and what else they said. */
  async function underLoad(work: () => Promise<void>) {
    const signed: string[] = [];
    const reasons = new Set<string>();
    let isLoaded = true;
    const clients = [service.core, other.core, service.core, other.core].map(async (core) => {
      while (isLoaded) {
        const answer = await ask(core);
        if ('sender' in answer) signed.push(answer.sender);
        else reasons.add(answer.reason);
        if ('reason' in answer) await pause(50); // a client that comes again
      }
    });
    await work();
    await untilBothSign();
    isLoaded = false;
    await Promise.all(clients);
    return { signed, reasons: [...reasons] };
  }

  /** Whatever was signed is held, once for each; the sums are those of the holds, and the ledger those of the chain. */
  async function expectExact({ signed, reasons }: Awaited<ReturnType<typeof underLoad>>): Promise<void> {
    expect(reasons.filter((reason) => !outages.includes(reason))).toEqual([]);
    const client = new pg.Client(postgres.url);
    await client.connect();
    const { rows } = await client.query<{ sender: string; amount: string }>(
      "SELECT sender, amount FROM holds WHERE state = 'live' AND paymaster_id = $1",
      [paymaster.paymasterId],
    );
    await client.end();
    const held = rows.map(({ sender }) => sender.toLowerCase());
    expect(new Set(held).size).toBe(held.length);
    expect(signed.filter((sender) => !held.includes(sender.toLowerCase()))).toEqual([]);
    const sum = rows.reduce((all, { amount }) => all + fromWeiText(amount), 0n);
    const { accountId, paymasterId } = paymaster;
    for (const core of [service.core, other.core]) {
      expect(accepted(await core.readGasTank({ accountId, paymasterId })).held).toBe(sum);
    }
    for (const report of accepted(await service.core.checkLedger({ allRows: false })))
      expect(report.difference).toBe(0n);
  }

  test('nothing is signed twice or without its hold where the line is cut in the middle of commits', async () => {
    const answers = await underLoad(async () => {
      for (let cut = 1; cut <= 12; cut += 1) {
        (cut % 2 === 0 ? line.lose : line.loseAnswerTo)(commit);
        await vi.waitFor(() => expect(line.lost()).toBe(cut), patience);
      }
    });
    await expectExact(answers);
  });

  test('nor where the server is killed and started again: both go on by themselves', async () => {
    const answers = await underLoad(async () => {
      for (const _ of [1, 2]) {
        postgres.signal('SIGKILL');
        await postgres.startAgain();
        await untilBothSign();
      }
    });
    expect(answers.reasons).toContain('DatabaseLostError');
    await expectExact(answers);
  });

  test('nor where the server stands still for a while', async () => {
    const answers = await underLoad(async () => {
      postgres.signal('SIGSTOP');
      await pause(7_000); // longer than anything that is released for silence
      postgres.signal('SIGCONT');
    });
    await expectExact(answers);
  });

  test('nor where the address leads to a server that only reads, until it writes', async () => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    const setReading = async (reads: 'on' | 'off') => {
      await client.query('SET default_transaction_read_only = off');
      await client.query(`ALTER DATABASE postgres SET default_transaction_read_only = ${reads}`);
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    };
    const answers = await underLoad(async () => {
      await setReading('on');
      await vi.waitFor(
        async () =>
          expect(await service.core.status()).toContainEqual(expect.objectContaining({ part: 'store', ready: false })),
        patience,
      );
      expect(await ask(service.core)).toHaveProperty('reason');
      await setReading('off');
    });
    await client.end();
    await expectExact(answers);
  });
});
