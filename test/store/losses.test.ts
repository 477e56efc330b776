import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { createSignatureRecorder } from '../../core/ledger/operation-status/record-signatures.ts';
import { createLossGate, marginSeconds } from '../../core/runtime/leading/loss-gate.ts';
import { openPostgresStore } from '../../core/store/postgres/open-postgres-store.ts';
import { type Fate, readPosition, wasLost } from '../../core/store/postgres/read-server-history.ts';
import { startPostgres } from '../../tools/start-postgres.ts';
import { depositEvent, holdRequest, openLedger, post, tankOf } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

const position = readPosition('1/FFFFFFF0');
const last = { transaction: '77', position, history: { timeline: 3, replayed: undefined } };

test.each<[string, boolean, Fate, { timeline: number; replayed: bigint | undefined } | undefined]>([
  ['the same server has it', false, 'committed', { timeline: 3, replayed: undefined }],
  ['the same server has lost it in a crash', true, 'aborted', { timeline: 3, replayed: undefined }],
  ['the same server was put back to before it', true, 'none', { timeline: 3, replayed: undefined }],
  ['it is too long ago to know', false, undefined, { timeline: 3, replayed: undefined }],
  ['a standby has it', false, 'committed', { timeline: 4, replayed: readPosition('2/0') }],
  ['a standby has given its number to another one', true, 'committed', { timeline: 4, replayed: position }],
  ['a standby is giving its number to another one', true, 'in progress', { timeline: 4, replayed: position }],
  ['a standby no longer knows what it had', true, 'committed', { timeline: 4, replayed: undefined }],
  ['two have taken over since', true, 'committed', { timeline: 5, replayed: readPosition('2/0') }],
  ['the server keeps no log', false, 'committed', undefined],
])('what was committed last, where %s: lost is %s', (_, lost, fate, now) => {
  expect(wasLost(last, fate, now)).toBe(lost);
});

test('after a loss nothing is held until the longest signature has ended, and then all is', async () => {
  const ledger = await openLedger();
  onTestFinished(() => ledger.close());
  let now = 1_000;
  const clock = { now: () => now * 1_000 };
  const lostAt = 1_000;
  const store = { ...ledger.store, lostAt: () => lostAt };
  const signatures = createSignatureRecorder(store, clock, silentLogger);
  const gate = createLossGate(store, clock, 300);
  const queue = createHoldQueue(store, clock, [gate]);
  await post(ledger.store, [depositEvent(1, 1_000n)]);
  // Of a hold that the database lacks.
  signatures.record({ paymasterId: 'pm', userOperationHash: `0x${'ab'.repeat(32)}`, holdId: 41, atRisk: false });
  const request = holdRequest({ tank: tankOf(1), amount: 60n, validUntil: 5_000 });
  now = lostAt + 300 + marginSeconds - 1;
  await expect(queue.hold(request)).rejects.toThrow('waiting 1 more second for earlier signatures');
  expect(await ledger.store.db.selectFrom('holds').selectAll().execute()).toEqual([]);
  now += 1;
  expect(gate.fault()).toBeUndefined();
  expect(await queue.hold(request)).toMatchObject({ kind: 'held' });
  await signatures.flush();
  expect(await ledger.store.db.selectFrom('signatures').selectAll().execute()).toEqual([]);
});

// A server waits for its disk at a commit only where something was written, and numbers every transaction of ours.
test.skipIf(!isOnPostgres)('a transaction that wrote nothing and is gone after a crash is no loss', async () => {
  const server = await startPostgres({ losesNothing: true, settings: ['wal_writer_delay=10s'] });
  onTestFinished(() => server.stop());
  const store = await openPostgresStore(new Secret(server.url));
  onTestFinished(() => store.close());
  const account = { account_id: randomUUID(), name: 'account', created_at: 1 };
  await store.transaction((trx) => trx.insertInto('accounts').values(account).execute());
  await store.transaction((trx) => trx.selectFrom('accounts').selectAll().execute());
  await store.transaction((trx) => trx.deleteFrom('accounts').where('account_id', '=', randomUUID()).execute());
  server.signal('SIGKILL');
  await server.startAgain();
  await vi.waitFor(() => store.transaction((trx) => trx.selectFrom('accounts').selectAll().execute()));
  expect(store.lostAt()).toBeUndefined();
  expect(await store.db.selectFrom('accounts').select('account_id').execute()).toEqual([
    { account_id: account.account_id },
  ]);
});
