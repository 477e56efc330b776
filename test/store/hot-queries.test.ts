import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DatabaseAddress } from '../../core/base/values/database-address.ts';
import { pruneDeliveries } from '../../core/runtime/senders/start-notifications.ts';
import { sweep } from '../../core/runtime/upkeep.ts';
import { openStore } from '../../core/store/open-store.ts';
import { anyClock } from '../support/service/any-clock.ts';
import { startService } from '../support/service/running-service.ts';
import { collectQueries } from '../support/store/collect-queries.ts';
import { fillDatabase } from '../support/store/fill-database.ts';
import { findScans } from '../support/store/find-scans.ts';
import { findWideReads } from '../support/store/find-wide-reads.ts';
import { isOnPostgres, testDatabase } from '../support/store/test-database.ts';
import { runHot } from './hot/hot-run.ts';

/**
 * What may be read from end to end: tables with some rows for each chain or key of the configuration, however long the
 * service runs, and what has a row only while something is open, under way or waiting.
 */
const small = new Set([
  ...['contract_totals', 'contract_watches', 'contract_signers', 'master_keys', 'retired_digest_keys'],
  ...['database_owner', 'counted_decisions', 'ledger_archive'],
  ...['holds by live_holds', 'holds by live_holds_by_expiry', 'holds by one_live_hold_per_operation_key'],
  ...['counters', 'ended_limits'],
  'notification_deliveries by pending_by_time',
  // What is checked or told of for each tank of a contract.
  ...['tanks of a contract', 'tanks_with_held of a contract'],
  ...['contract_totals of a contract', 'contract_signers of a contract'],
]);

/** A few rows of many, and often the oldest: the scan ends with them. */
const fewRows = [
  '(select "delivery_number" from "notification_deliveries" order by "delivery_number" limit ',
  // What has come since the last minute.
  'select (exists (select "decision_number" from "decisions" where "decision_number" > coalesce((select "until_number" from "counted_decisions"), ?)) or exists (select "entry_id" from "journal" where "entry_id" > ',
  'on "paymasters"."paymaster_id" = "decisions"."paymaster_id" where "decision_number" > ? order by "decision_number" limit ',
  'on "reversed"."entry_id" = "journal"."reverses" where "journal"."entry_id" > ? order by "journal"."entry_id" limit ',
  // What a check of the ledger reads, some at a time.
  'from "ledger_accounts" where "account_id" > ? order by "account_id" limit ',
  'from "holds" where "hold_id" > ? order by "hold_id" limit ',
  // The oldest.
  'where "decision_number" > ? and "decision_number" <= coalesce((select "until_number" from "counted_decisions"), ?) order by "decision_number" limit ',
];

/** What may read many rows, each with a part of the query that says why they are not too many. */
const bounded: readonly (readonly [read: string, part: string])[] = [
  // The oldest, some at a time.
  ['ledger_accounts ()', 'kept_until < ? ORDER BY kept_until LIMIT ?'],
  // Of one limit, for the sender who has used most; more than the limit of rows say so.
  ['ledger_accounts ()', '"name" >= ? and "name" < ? order by "name" limit ?'],
  // A page of a list that is read from its end, down to a floor where rows are also filtered.
  ['decisions (paymaster_id)', 'order by "decision_number" desc limit ? offset ?'],
  ['decisions (paymaster_id)', '"decision_number" >= ? order by "decisions"."decision_number" desc limit ?'],
  ['audit_log_keys (key)', '"keys"."entry_number") >= (?, ?) and'],
  ['journal (tank_id)', 'order by "entry_id" desc limit ?'],
  // What waits for one destination, of which the oldest are dropped beyond a limit.
  ['notification_deliveries (notification_id, state)', `"notification_id" = ? and "state" = 'pending'`],
  // Of those that are kept for some days.
  ['notification_deliveries (paymaster_id)', '= ?) and "delivery_number" < ? order by "delivery_number" desc limit ?'],
  [
    'notification_deliveries (paymaster_id, state)',
    '= ?) and "state" = ? and "delivery_number" < ? order by "delivery_number" desc limit ?',
  ],
  [
    'notification_deliveries (notification_id)',
    '= ?) and "delivery_number" < ? order by "delivery_number" desc limit ?',
  ],
  [
    'notification_deliveries (notification_id, state)',
    '= ?) and "state" = ? and "delivery_number" < ? order by "delivery_number" desc limit ?',
  ],
  // The newest ones of a paymaster, from which a preview or an overview is made.
  ['decisions (paymaster_id)', '"decision_number" > ? order by "decision_number" desc limit ?'],
  ['decisions (paymaster_id)', 'WHERE paymaster_id = ? ORDER BY decision_number DESC LIMIT ?) AS of_one'],
  // The operator's check of all tanks, and those that run short.
  ['tanks_with_held (chain_id, contract)', 'as "place" inner join "tanks_with_held" as "tanks"'],
  ['tanks (chain_id, contract)', 'as "place" inner join "tanks"'],
  ['tanks (chain_id, contract)', '"spending"."hour" >= ? group by "tank"."tank_id"'],
  ['tanks_with_held (chain_id, contract)', '"spending"."hour" >= ? group by "tank"."tank_id"'],
];

const yearMs = 365 * 86_400_000;

test('no query of a service at work reads a table that grows from end to end, nor many rows of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-hot-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = await testDatabase(folder);
  const collecting = collectQueries();
  const service = await startService({
    configure: (config) => ({ ...anyClock(config), database }),
  });
  try {
    await runHot(service);
  } finally {
    await service.close();
  }
  await pruneAll(folder, database);
  const queries = collecting.stop();
  expect(queries.length).toBeGreaterThan(100);
  // Those that bypass Kysely's query builder too.
  expect(queries.some(({ sql }) => sql.startsWith('INSERT INTO holds '))).toBe(true);
  const store = await openStore(database);
  onTestFinished(() => store.close());
  const scans: string[] = [];
  for (const query of queries) {
    if (fewRows.some((rows) => query.sql.includes(rows))) continue;
    const grown = (await findScans(store, query)).filter((scan) => !isSmall(scan));
    if (grown.length > 0) scans.push(`${grown.join(', ')}: ${query.sql}`);
  }
  expect(scans).toEqual([]);
  // A server knows the values, and plans by how many rows there are.
  if (isOnPostgres) return;
  const filled = await fillDatabase(store);
  expect(filled).toEqual(
    expect.arrayContaining(['ledger_accounts', 'notification_deliveries', 'audit_log', 'journal']),
  );
  const wide: string[] = [];
  for (const query of queries) {
    const reads = await findWideReads(store, query);
    wide.push(...reads.filter((read) => !isBounded(read, query.sql)).map((read) => `${read}: ${query.sql}`));
  }
  expect(wide).toEqual([]);
});

function isBounded(read: string, text: string): boolean {
  return bounded.some(([known, part]) => known === read && text.includes(part));
}

/** Of a small table every index is small. */
function isSmall(scan: string): boolean {
  return small.has(scan) || small.has(scan.split(' by ')[0] ?? '');
}

/** What is pruned in a year, when all of it is too old: of a copy. */
async function pruneAll(folder: string, database: DatabaseAddress): Promise<void> {
  const pruned = join(folder, 'pruned');
  mkdirSync(pruned);
  const store = await openStore(await testDatabase(pruned, database));
  const clock = { now: () => Date.now() + yearMs };
  await sweep({ store, clock, isClockRight: () => true, keep: { keepDays: 30, keepMost: 1_000 } }, () => false);
  await pruneDeliveries(store, Math.floor(clock.now() / 1_000));
  await store.close();
}
