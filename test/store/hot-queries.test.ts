import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pruneDeliveries } from '../../core/runtime/senders/start-notifications.ts';
import { sweep } from '../../core/runtime/upkeep.ts';
import { openStore } from '../../core/store/open-store.ts';
import type { Store } from '../../core/store/store.ts';
import { anyClock } from '../support/service/any-clock.ts';
import { startService } from '../support/service/running-service.ts';
import { collectQueries } from '../support/store/collect-queries.ts';
import { findScans } from '../support/store/find-scans.ts';
import { testDatabase } from '../support/store/test-database.ts';
import { runHot } from './hot/hot-run.ts';

/**
 * What may be read from end to end: tables with some rows for each chain or key of the configuration, however long the
 * service runs, and what has a row only while something is open, under way or waiting.
 */
const small = new Set([
  ...['contract_totals', 'contract_watches', 'contract_signers', 'master_keys', 'retired_digest_keys', 'open_holds'],
  ...['database_owner', 'counted_decisions', 'ledger_archive'],
  ...[
    'holds by live_holds',
    'holds by live_holds_by_expiry',
    'holds by one_live_hold_per_slot',
    'limit_usage by limit_usage_being_counted',
  ],
  'notification_deliveries by pending_by_destination',
  // What is checked or told of for each tank of a contract.
  'tanks of a contract',
  ...['contract_totals of a contract', 'contract_signers of a contract'],
]);

/** A few rows of many, and often the oldest: the scan ends with them. */
const fewRows = [
  '(select "delivery_number" from "notification_deliveries" order by "delivery_number" limit ',
  'select "movement_id" from "movements" where "chain_id" = ? and "contract" = ? limit ',
  // What has come since the last minute.
  'from "decisions" where "decision_number" > ? order by "decision_number" limit ',
  'on "holds"."hold_id" = "decisions"."hold_id" where "decision_number" > ? order by "decision_number" limit ',
];

const yearMs = 365 * 86_400_000;

test('no query of a service at work reads a table that grows from end to end', async () => {
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
  const store = await openStore(database);
  onTestFinished(() => store.close());
  await pruneAll(store);
  const queries = collecting.stop();
  expect(queries.length).toBeGreaterThan(100);
  // Those that bypass Kysely's query builder too.
  expect(queries.some(({ sql }) => sql.startsWith('INSERT INTO holds '))).toBe(true);
  const scans: string[] = [];
  for (const query of queries) {
    if (fewRows.some((rows) => query.sql.includes(rows))) continue;
    const grown = (await findScans(store, query)).filter((scan) => !isSmall(scan));
    if (grown.length > 0) scans.push(`${grown.join(', ')}: ${query.sql}`);
  }
  expect(scans).toEqual([]);
});

/** Of a small table every index is small. */
function isSmall(scan: string): boolean {
  return small.has(scan) || small.has(scan.split(' by ')[0] ?? '');
}

/** What is pruned in a year, when all of it is too old. */
async function pruneAll(store: Store): Promise<void> {
  const clock = { now: () => Date.now() + yearMs };
  await sweep({ store, clock, keep: { keepDays: 30, keepMost: 1_000 } }, () => false);
  await pruneDeliveries(store, Math.floor(clock.now() / 1_000));
}
