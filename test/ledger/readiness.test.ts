import { sql } from 'kysely';
import type { Address } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import type { Behind } from '../../core/ledger/following/following.ts';
import { createFollowHealth } from '../../core/runtime/follow-health.ts';
import { readStatus } from '../../core/runtime/read-status.ts';
import { watchWrites } from '../../core/runtime/watch-writes.ts';
import { numberedAddress, openLedger } from '../support/core/ledger-lab.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { refuseWrites, takeWrites } from '../support/store/change-database.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

const one = numberedAddress(0xc1);
const other = numberedAddress(0xc2);

function startHealth() {
  let now = 1_000_000;
  const { lines, logger } = createRecordingLogger();
  const clock = { now: () => now };
  const health = createFollowHealth({ chainId: 1, contracts: [one, other], pollIntervalMs: 4_000, clock, logger });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  const lookWell = () => {
    health.asked();
    health.answered();
    health.followed(new Map());
  };
  const lookAt = (contract: Address, behind: Behind) => {
    health.asked();
    health.answered();
    health.followed(new Map([[contract, behind]]));
  };
  return { health, lines, pass, lookWell, lookAt };
}

test('a chain is ready after its first completed look, not before', () => {
  const { health } = startHealth();
  health.asked();
  health.answered();
  expect(health.fault()).toBe('the ledger is catching up with the chain');
  health.followed(new Map());
  expect(health.fault()).toBeUndefined();
});

test('a node is silent after five seconds without an answer, however often it is asked', () => {
  const { health, pass, lookWell, lines } = startHealth();
  lookWell();
  for (const _ of [1, 2, 3]) {
    health.asked();
    health.failed(new Error('no route'));
    pass(2_000);
  }
  expect(health.fault()).toBe('the node does not respond');
  expect(lines).toMatchObject([{ level: 'warn', fields: { chainId: 1, err: { message: 'no route' } } }]);
  lookWell();
  expect(health.fault()).toBeUndefined();
  expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
});

test('a node that answers while nothing is taken in leaves the ledger behind', () => {
  const { health, pass, lookWell } = startHealth();
  lookWell();
  pass(64_001);
  health.asked();
  health.answered();
  expect(health.fault()).toBe('the ledger has been behind the chain for 64 seconds');
});

test('a ledger that refuses an event is no fault of the node, and nothing is signed for its contract', () => {
  const { health, lookWell, lookAt, lines } = startHealth();
  lookWell();
  const cause = new Error('UNIQUE constraint failed');
  for (const _ of [1, 2]) lookAt(one, { kind: 'refused', text: 'the ledger does not accept it', cause });
  expect(health.faultOf(one)).toBe('the ledger does not accept it');
  expect(health.faultOf(other)).toBeUndefined();
  expect(health.fault()).toBeUndefined();
  expect(lines).toMatchObject([{ level: 'error', fields: { err: cause, contract: one } }]);
  lookWell();
  expect(health.faultOf(one)).toBeUndefined();
  expect(lines.map(({ level }) => level)).toEqual(['error', 'info']);
});

test('a ledger that differs from the chain for over a minute is a fault of its contract', () => {
  const { health, lookWell, lookAt, pass, lines } = startHealth();
  lookWell();
  const behind: Behind = { kind: 'differs', text: 'the nodes omit events' };
  lookAt(one, behind);
  expect(health.faultOf(one)).toBeUndefined();
  pass(64_001);
  lookAt(one, behind);
  expect(health.faultOf(one)).toBe('the ledger has been behind the chain for 64 seconds: the nodes omit events');
  expect(health.faultOf(other)).toBeUndefined();
  expect(lines).toMatchObject([{ level: 'error', fields: { contract: one } }]);
});

test('reports a block that is gone from the chain until the ledger has followed', () => {
  const { health, lookWell, lookAt } = startHealth();
  lookAt(one, { kind: 'off-chain', text: 'Block 7 is gone' });
  lookAt(one, { kind: 'node', text: 'the chain could not be read' });
  expect(health.faultOf(one)).toContain('Block 7');
  lookWell();
  expect(health.faultOf(one)).toBeUndefined();
});

test('a database that refuses writes is not ready from the first failure until a probe succeeds', async () => {
  const ledger = await openLedger();
  onTestFinished(ledger.close);
  let now = 1_000_000;
  const { lines, logger } = createRecordingLogger();
  const store = watchWrites(ledger.store, { logger, clock: { now: () => now } });
  const write = () => store.transaction((trx) => trx.insertInto('accounts').values(newAccount()).execute());
  const storeStatus = async () => (await readStatus(store, new Map()))[0];

  await refuseWrites(ledger.store);
  for (const _ of [1, 2]) await expect(write()).rejects.toThrow(/read-?only|cannot be written to/);
  expect(await storeStatus()).toEqual({ part: 'store', ready: false, detail: 'the database cannot be written to' });
  expect(lines).toMatchObject([
    { level: 'error', fields: { err: { code: isOnPostgres ? '25006' : 'SQLITE_READONLY' } } },
  ]);

  await takeWrites(ledger.store);
  // No one writes meanwhile: the question itself tries, once in three seconds.
  expect(await storeStatus()).toMatchObject({ ready: false });
  now += 3_000;
  expect(await storeStatus()).toMatchObject({ ready: true });
  expect(lines.map(({ level }) => level)).toEqual(['error', 'info']);
});

test('a row that the database refuses is not a fault of its disk', async () => {
  const ledger = await openLedger();
  onTestFinished(ledger.close);
  const { logger } = createRecordingLogger();
  const store = watchWrites(ledger.store, { logger, clock: { now: () => 0 } });
  const bad = store.transaction((trx) =>
    trx
      .insertInto('accounts')
      .values({ ...newAccount(), account_id: 'short' })
      .execute(),
  );
  await expect(bad).rejects.toThrow(/check constraint/i);
  expect(await store.writeFault()).toBeUndefined();
});

test.skipIf(isOnPostgres)('a disk that is full is said', async () => {
  const ledger = await openLedger();
  onTestFinished(ledger.close);
  const { logger } = createRecordingLogger();
  const store = watchWrites(ledger.store, { logger, clock: { now: () => 0 } });
  await sql`PRAGMA max_page_count = 1`.execute(store.db);
  const fill = store.transaction(async (trx) => {
    for (let row = 0; row < 10_000; row += 1) await trx.insertInto('accounts').values(newAccount()).execute();
  });
  await expect(fill).rejects.toThrow('full');
  expect(await store.writeFault()).toBe('the disk is full');
});

function newAccount() {
  return { account_id: crypto.randomUUID(), name: 'Ada', created_at: 1 };
}

test('nodes that differ once are no trouble in the log, since a block may have come between two questions; twice they are', () => {
  const { lines, lookAt, lookWell } = startHealth();
  const differs: Behind = { kind: 'differs', text: 'the nodes omit events or report different ones' };
  lookAt(one, differs);
  lookWell();
  expect(lines).toEqual([]);
  for (const _ of [1, 2, 3]) lookAt(one, differs);
  lookWell();
  expect(lines.map(({ level }) => level)).toEqual(['error', 'info']);
});

test('a missing price of the coin is said, and the service stays ready', async () => {
  const ledger = await openLedger();
  onTestFinished(ledger.close);
  const { logger } = createRecordingLogger();
  const store = watchWrites(ledger.store, { logger, clock: { now: () => 1_000_000 } });
  let fault: string | undefined;
  const chain = {
    watcher: { fault: () => undefined, faultOf: () => undefined },
    contracts: new Map(),
    coinPrice: { last: () => undefined, fault: () => fault },
  };
  const read = () => readStatus(store, new Map([[1, chain as never]]));
  expect((await read()).map(({ part }) => part)).not.toContain('price of the coin of chain 1');
  fault = 'The sources do not agree.';
  expect(await read()).toContainEqual({
    part: 'price of the coin of chain 1',
    ready: false,
    optional: true,
    detail: 'degraded, limits and budgets in USD and payment in tokens are refused: The sources do not agree.',
  });
});
