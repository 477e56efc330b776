import { omitAbsent } from '@tollfree/contract/omit-absent';
import { expect, test } from 'vitest';
import type { AuditLogFilter } from '../../core/domain/access/audit-log.ts';
import { pruneAuditLog } from '../../core/management/audit-log/prune-audit-log.ts';
import { readAuditLog } from '../../core/management/audit-log/read-audit-log.ts';
import type { Store } from '../../core/store/store.ts';
import { accepted, startManagement } from '../support/core/start-management.ts';
import { collectQueries } from '../support/store/collect-queries.ts';
import { findScans } from '../support/store/find-scans.ts';

type Written = { readonly account_id: string; readonly operation: string; readonly changed_at?: number };

/** Entries of changes one second apart, from second 1,000 on, written as any writer of the log does. */
async function writeEntries(store: Store, count: number, entry: (index: number) => Written): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    changed_at: 1_000 + index,
    paymaster_id: `pm-${index % 7}`,
    actor_kind: 'session',
    credential_id: `s-${index % 5}`,
    wallet: null,
    address: null,
    client: null,
    objects: ` w-${index} shared `,
    state_before: '{}',
    state_after: '{}',
    ...entry(index),
  }));
  for (let start = 0; start < count; start += 500) {
    const some = rows.slice(start, start + 500);
    await store.transaction((trx) => trx.insertInto('audit_log').values(some).execute());
  }
}

async function startFilled(count: number, entry: (index: number) => Written) {
  const { store } = await startManagement();
  await writeEntries(store, count, entry);
  const list = async (accountId: string | undefined, filter: AuditLogFilter, cursor?: string) =>
    accepted(await readAuditLog(store, { filter, ...omitAbsent({ accountId, cursor }) }));
  return { store, list };
}

const filters: readonly AuditLogFilter[] = [
  ...[{}, { from: 1_050 }, { until: 1_050 }, { from: 1_050, until: 1_060 }, { who: 'session' }, { who: 's-1' }],
  ...[{ operation: 'setPolicy' }, { object: 'pm-1' }, { object: 'W-7' }, { who: 'session', operation: 'setPolicy' }],
  { who: 's-1', operation: 'rare', object: 'pm-2', from: 1, until: 20_000 },
];

test('no filter, alone or with others, reads the log from end to end', async () => {
  const { store, list } = await startFilled(100, (index) => ({
    account_id: index % 3 === 0 ? 'other' : 'one',
    operation: 'setPolicy',
  }));
  const collecting = collectQueries();
  for (const filter of filters) {
    for (const accountId of [undefined, 'one']) {
      await list(accountId, filter);
      await list(accountId, filter, '50');
    }
  }
  const queries = collecting.stop();
  expect(queries.length).toBeGreaterThan(3);
  for (const query of queries) expect([query.sql, await findScans(store, query)]).toEqual([query.sql, []]);
});

test('a filter finds its entries, of one account or of all, by the time too', async () => {
  const { list } = await startFilled(100, (index) => ({
    account_id: index % 3 === 0 ? 'other' : 'one',
    operation: index === 1 ? 'rare' : 'setPolicy',
  }));
  const timesOf = async (accountId: string | undefined, filter: AuditLogFilter) =>
    (await list(accountId, filter)).entries.map(({ changedAt }) => changedAt);
  const stretch = { from: 1_050, until: 1_053 };
  expect(await timesOf('one', stretch)).toEqual([1_052, 1_050]);
  expect(await timesOf('other', stretch)).toEqual([1_051]);
  expect(await timesOf(undefined, stretch)).toEqual([1_052, 1_051, 1_050]);
  expect(await timesOf(undefined, { operation: 'rare' })).toEqual([1_001]);
  expect(await timesOf('other', { operation: 'rare' })).toEqual([]);
  expect(await timesOf('one', { who: 'session', operation: 'rare' })).toEqual([1_001]);
  expect(await timesOf('one', { object: 'W-7' })).toEqual([1_007]);
  expect(await timesOf('other', { object: 'w-7' })).toEqual([]);
  expect(await timesOf('one', { object: 'pm-1', who: 's-1' })).toEqual([1_071, 1_001]);
});

test('what is read twice of one second is neither left out nor given twice', async () => {
  const { list } = await startFilled(120, () => ({ account_id: 'one', operation: 'setPolicy', changed_at: 5_000 }));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await list('one', {}, cursor);
    seen.push(...answer.entries.map(({ entryId }) => entryId));
    cursor = answer.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toHaveLength(120);
  expect(new Set(seen).size).toBe(120);
});

test('an answer that compared as many entries as it may says where to go on, however few it found', async () => {
  const { list } = await startFilled(12_000, (index) => ({
    account_id: 'one',
    operation: index === 1 ? 'rare' : 'setPolicy',
  }));
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const answer = await list('one', { operation: 'rare', object: 'shared' }, cursor);
    pages.push(answer.entries.length);
    cursor = answer.nextCursor;
  } while (cursor !== undefined);
  expect(pages).toEqual([0, 0, 1]);
});

test('what was pruned is found by no filter any more', async () => {
  const { store, list } = await startFilled(100, () => ({ account_id: 'one', operation: 'setPolicy' }));
  while (!(await pruneAuditLog(store, 1_090)));
  expect((await list('one', { operation: 'setPolicy' })).entries).toHaveLength(10);
  const { left } = await store.db
    .selectFrom('audit_log_keys')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('changed_at', '<', 1_090)
    .executeTakeFirstOrThrow();
  expect(left).toBe(0);
});
