import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../core/store/database.ts';
import { fixedStatement } from '../../core/store/statements/fixed-statement.ts';
import { deleteRows, insertRows, updateRows } from '../../core/store/statements/row-statements.ts';
import { runTogether } from '../../core/store/statements/run-together.ts';
import type { Store } from '../../core/store/store.ts';
import { openLedger } from '../support/core/ledger-lab.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

let store: Store;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ store, close } = await openLedger());
});
afterAll(() => close());
beforeEach(() => store.transaction((trx) => trx.deleteFrom('shared_limits').execute()));

const columns = { name: 'text', level: 'number', level_at: 'number', used: 'number' } as const;
const keep = insertRows('shared_limits', columns, {
  onConflict: '(name) DO UPDATE SET used = shared_limits.used + excluded.used',
  returning: ['name', 'used'],
});
const change = updateRows('shared_limits', { level: 'number' }, { name: 'text' });
const forget = deleteRows('shared_limits', { name: 'text' });
const named = fixedStatement<{ readonly names: readonly string[]; readonly least: number }>()(({ db, texts, value }) =>
  db
    .selectFrom('shared_limits')
    .select(['name', 'level', 'used'])
    .where('name', 'in', texts('names'))
    .where('used', '>=', value('least'))
    .orderBy('name'),
);
const row = (name: string, used = 1) => ({ name, level: 5, level_at: 7, used });

/** What lists and JSON write with care. */
const oddNames = ['NULL', '{"a",b}', "it's \\ back", '[1,2]', '', 'ключ 🔑', '%s $1 ?'];

test('rows of any text are written, changed, read and deleted as they are', async () => {
  const names = [...oddNames].sort();
  const read = await store.transaction(async (trx) => {
    await runTogether(trx, keep(names.map((name) => row(name))));
    await runTogether(trx, change(names.map((name, index) => ({ name, level: index }))), forget([{ name: 'NULL' }]));
    return (await runTogether(trx, named({ names, least: 0 })))[0];
  });
  const expected = names.map((name, level) => ({ name, level, used: 1 })).filter(({ name }) => name !== 'NULL');
  expect([...read].sort((one, other) => (one.name < other.name ? -1 : 1))).toEqual(expected);
});

test('statements see what those before them wrote, and each answers with its own rows', async () => {
  const [inserted, added, found, none] = await store.transaction((trx) =>
    runTogether(
      trx,
      keep([row('a'), row('b')]),
      keep([row('a', 4)]),
      named({ names: ['a', 'b', 'c'], least: 2 }),
      named({ names: [], least: 0 }),
    ),
  );
  expect(inserted).toHaveLength(2);
  expect(added).toEqual([{ name: 'a', used: 5 }]);
  expect(found).toEqual([{ name: 'a', level: 5, used: 5 }]);
  expect(none).toEqual([]);
});

test('no rows are no statement', async () => {
  expect(await store.transaction((trx) => runTogether(trx, keep([]), change([]), forget([])))).toEqual([[], [], []]);
});

test('one that fails takes the others along, and the next transaction goes on', async () => {
  const failing = store.transaction((trx) =>
    runTogether(trx, keep([row('a')]), keep([row(null as unknown as string)]), keep([row('b')])),
  );
  await expect(failing).rejects.toThrow(/null/i);
  const [read] = await store.transaction((trx) => runTogether(trx, named({ names: ['a', 'b'], least: 0 })));
  expect(read).toEqual([]);
  await store.transaction((trx) => runTogether(trx, keep([row('b')])));
  expect((await runTogether(store.db, named({ names: ['a', 'b'], least: 0 })))[0]).toHaveLength(1);
});

test('transactions that run at the same time do not mix their statements', async () => {
  const rounds = Array.from({ length: 20 }, (_, index) => `n${index % 2}`);
  await Promise.all(
    rounds.map((name) =>
      store.transaction(async (trx) => {
        const [before] = await runTogether(trx, named({ names: [name], least: 0 }));
        await runTogether(trx, keep([row(name, (before[0]?.used ?? 0) + 1)]));
      }),
    ),
  );
  const [read] = await runTogether(store.db, named({ names: ['n0', 'n1'], least: 0 }));
  // Each adds what it has read, and one: 2^10 - 1.
  expect(read.map(({ used }) => used)).toEqual([1_023, 1_023]);
});

/** How often the server has planned `named` for any values, and for those of a run. */
async function plansOfNamed(trx: Transaction<Database>) {
  const { rows } = await sql<{ once: number; each: number }>`
    SELECT generic_plans AS once, custom_plans AS each FROM pg_prepared_statements WHERE statement LIKE '%shared_limits%order by%'
  `.execute(trx);
  return rows;
}

test.skipIf(!isOnPostgres)('a server does not plan a fixed statement for the values of each run', async () => {
  for (let run = 0; run < 10; run += 1) {
    await store.transaction((trx) => runTogether(trx, named({ names: ['a'], least: run })));
  }
  const [before] = await store.transaction(plansOfNamed);
  await store.transaction((trx) => runTogether(trx, named({ names: ['a'], least: 1 })));
  const [after] = await store.transaction(plansOfNamed);
  expect(after).toEqual({ once: (before?.once ?? 0) + 1, each: 0 });
});

test.skipIf(!isOnPostgres)('other statements are planned for their values, also between fixed ones', async () => {
  const planMode = sql<{ plan_cache_mode: string }>`SHOW plan_cache_mode`;
  const modes = await store.transaction(async (trx) => {
    const first = await planMode.execute(trx);
    await runTogether(trx, named({ names: ['a'], least: 1 }));
    return [first, await planMode.execute(trx)].flatMap(({ rows }) => rows);
  });
  expect(modes).toEqual([{ plan_cache_mode: 'auto' }, { plan_cache_mode: 'auto' }]);
  const [plans] = await store.transaction(plansOfNamed);
  expect(plans?.each).toBe(0);
});

test.skipIf(!isOnPostgres)(
  'a plan for a table with few rows is made again once the statement has run for many',
  async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => row(`n${index}`));
    const runs = async (count: number) => {
      for (let run = 0; run < count; run += 1) {
        await store.transaction((trx) => runTogether(trx, named({ names: ['n7'], least: 0 })));
      }
    };
    const scans = async () => {
      await store.transaction((trx) => sql`SELECT pg_stat_force_next_flush()::text`.execute(trx));
      const counted = await sql<{ scans: number }>`
        SELECT seq_scan AS scans FROM pg_stat_user_tables WHERE relname = 'shared_limits'
      `.execute(store.db);
      return counted.rows[0]?.scans;
    };
    await runs(20);
    await store.transaction((trx) => runTogether(trx, keep(rows)));
    // More often than all tests before.
    await runs(100);
    const before = await scans();
    await runs(20);
    expect(await scans()).toBe(before);
  },
);
