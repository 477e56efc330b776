import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { notificationLimits } from '../../core/outbox/queue-delivery.ts';
import { pruneDeliveries } from '../../core/runtime/senders/start-notifications.ts';
import { accepted, newPaymaster, refusalOf, startManagement } from '../support/core/start-management.ts';
import { collectQueries } from '../support/store/collect-queries.ts';
import { explain } from '../support/store/explain.ts';
import { actionsOf } from './notification-lab.ts';

const url = 'http://127.0.0.1:9/events';

/** A log that no one sends from. */
async function startLog() {
  const started = await startManagement();
  const { owned } = await newPaymaster(started.management);
  return { ...started, ...actionsOf(started, owned), owned };
}

describe('the log', () => {
  test('is paged newest first, each delivery once', async () => {
    const log = await startLog();
    await log.register(url);
    for (let holdId = 0; holdId < 7; holdId++) await log.settle({ holdId });
    const all = (await log.deliveries()).map(({ deliveryId }) => deliveryId);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const input = { ...log.owned, filter: {}, limit: 3, ...(cursor === undefined ? {} : { cursor }) };
      const page = accepted(await log.management.listNotificationDeliveries(input));
      paged.push(...page.deliveries.map(({ deliveryId }) => deliveryId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(all);
    expect(new Set(all).size).toBe(7);
  });

  test('is filtered by destination and state', async () => {
    const log = await startLog();
    const first = await log.register(url);
    const second = await log.register(url);
    await log.settle();
    const update = log.store.db.updateTable('notification_deliveries').set({ state: 'failed', next_attempt_at: null });
    await update.where('notification_id', '=', second).execute();
    const found = async (filter: Parameters<typeof log.deliveries>[0]) =>
      (await log.deliveries(filter)).map(({ notificationId }) => notificationId);
    expect(await found({ notificationId: first })).toEqual([first]);
    expect(await found({ state: 'pending' })).toEqual([first]);
    expect(await found({ state: 'failed' })).toEqual([second]);
    expect(await found({ state: 'delivered' })).toEqual([]);
    expect(await found({ state: 'failed', notificationId: first })).toEqual([]);
  });

  test.each(['0', '-1', 'x', '1e3', '9'.repeat(16)])('does not take the cursor %s', async (cursor) => {
    const { management, owned } = await startLog();
    expect(refusalOf(await management.listNotificationDeliveries({ ...owned, filter: {}, cursor }))).toBe(
      'INVALID_FIELD: cursor must be the nextCursor of an earlier answer',
    );
  });

  test('forgets what is older than 30 days, however much that is, and keeps the rest', async () => {
    const log = await startLog();
    await log.register(url);
    const old = notificationLimits.pruneBatch + 3;
    for (let holdId = 0; holdId < old; holdId++) await log.settle({ holdId });
    log.clock.advance(notificationLimits.logSeconds);
    await log.settle({ holdId: old });
    const count = async () => (await log.store.db.selectFrom('notification_deliveries').selectAll().execute()).length;
    await pruneDeliveries(log.store, Math.floor(log.clock.now() / 1_000));
    expect(await count()).toBe(old + 1);
    await pruneDeliveries(log.store, Math.floor(log.clock.now() / 1_000) + 1);
    expect(await count()).toBe(1);
  });
});

test('of more than 10,000 waiting for one destination the oldest are dropped, and that is seen', async () => {
  const log = await startLog();
  const notificationId = await log.register(url);
  await log.register(url, ['operation.failed']);
  await log.settle({ success: false });
  const [template] = await log.store.db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('notification_id', '=', notificationId)
    .execute();
  if (template === undefined) throw new Error('nothing was queued');
  const { delivery_number: _, ...fields } = template;
  const copies = Array.from({ length: notificationLimits.pendingPerDestination - 1 }, (_, index) => ({
    ...fields,
    delivery_id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  }));
  while (copies.length > 0) {
    await log.store.db.insertInto('notification_deliveries').values(copies.splice(0, 1_000)).execute();
  }
  expect(await log.deliveries({ state: 'dropped' })).toEqual([]);
  await log.settle();
  await log.settle();
  expect((await log.deliveries({ state: 'dropped' })).map(({ deliveryId }) => deliveryId)).toEqual([
    '00000000-0000-4000-8000-000000000000',
    template.delivery_id,
  ]);
  const others = await log.deliveries({ state: 'pending' });
  expect(others[0]).toMatchObject({ type: 'operation.settled', state: 'pending' });
});

test('queueing is one query when no one listens', async () => {
  const { management, store, clock } = await startManagement();
  const { owned } = await newPaymaster(management);
  const actions = actionsOf({ management, clock, store }, owned);
  const collecting = collectQueries();
  await actions.settle();
  const queries = collecting.stop();
  expect(queries).toHaveLength(1);
  expect(queries[0]?.sql).toMatch(/^select .* from "notifications" /);
});

test.each([
  [
    'what is due',
    'pending_by_time',
    "state = 'pending' AND next_attempt_at <= 5 ORDER BY next_attempt_at, delivery_number",
  ],
  [
    'what waits for one',
    'deliveries_by_destination_and_state',
    "notification_id = 'a' AND state = 'pending' ORDER BY delivery_number",
  ],
  ['the log', 'deliveries_by_paymaster', "paymaster_id = 'a' AND delivery_number < 9 ORDER BY delivery_number DESC"],
  ['what failed', 'deliveries_by_state', "paymaster_id = 'a' AND state = 'failed' ORDER BY delivery_number DESC"],
  [
    'what one of them got',
    'deliveries_by_destination_and_state',
    "notification_id = 'a' AND state = 'delivered' ORDER BY delivery_number DESC",
  ],
])('%s is found by index, without sorting', async (_, index, condition) => {
  const { store } = await startManagement();
  const details = await explain(store, sql`SELECT * FROM notification_deliveries WHERE ${sql.raw(condition)}`);
  expect(details).toMatch(new RegExp(`USING (COVERING )?INDEX ${index}|Index (Only )?Scan (Backward )?using ${index}`));
  expect(details).not.toMatch(/TEMP B-TREE|Sort/);
});
