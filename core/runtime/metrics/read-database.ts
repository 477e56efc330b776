import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric-registry.ts';
import type { DatabaseAddress } from '../../base/values/database-address.ts';
import type { Store } from '../../store/store.ts';
import { gauge } from './read-levels.ts';

/** The size of the database, and the free space on its disk; unknown for another machine's disk. */
export async function readDatabaseSize(store: Store, database: DatabaseAddress): Promise<readonly Metric[]> {
  if (database.kind === 'postgres') {
    const size = sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`;
    const { rows } = await size.execute(store.db);
    return [bytesOf({ main: rows[0]?.bytes ?? 0 })];
  }
  const { file } = database;
  const disk = await statfs(dirname(file));
  return [
    bytesOf({ main: await sizeOf(file), wal: await sizeOf(`${file}-wal`) }),
    gauge(coreMetrics.databaseFree, [disk], ({ bavail, bsize }) => ({ labels: {}, value: bavail * bsize })),
  ];
}

function bytesOf(sizes: Readonly<Record<string, number>>): Metric {
  return gauge(coreMetrics.databaseBytes, Object.entries(sizes), ([file, value]) => ({ labels: { file }, value }));
}

/** 0 for a missing file: SQLite creates and removes the second one itself. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** How many notifications wait, from an index with only those. */
export async function readPending(store: Store): Promise<readonly Metric[]> {
  const pending = await store.read(async (snapshot) => {
    const row = await snapshot
      .selectFrom('notification_deliveries')
      .select(({ fn }) => fn.countAll<number>().as('pending'))
      .where('state', '=', sql.lit('pending'))
      .executeTakeFirst();
    return row?.pending ?? 0;
  });
  return [gauge(coreMetrics.notificationsPending, [pending], (value) => ({ labels: {}, value }))];
}
