import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { coreFigures } from '../../domain/figures/core-figures.ts';
import type { Figure } from '../../domain/figures/figure.ts';
import type { Store } from '../../store/store.ts';
import { gauge } from './gauge.ts';

/** How large the database is and how much room its disk has. */
export async function readDatabaseSize(databaseFile: string): Promise<readonly Figure[]> {
  const disk = await statfs(dirname(databaseFile));
  return [
    gauge(coreFigures.databaseBytes, [
      { labels: { file: 'main' }, value: await sizeOf(databaseFile) },
      { labels: { file: 'wal' }, value: await sizeOf(`${databaseFile}-wal`) },
    ]),
    gauge(coreFigures.databaseFree, [{ labels: {}, value: disk.bavail * disk.bsize }]),
  ];
}

/** 0 for a file that is not there: SQLite makes and removes the second one itself. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** How many notifications wait, from an index that has those alone. */
export async function readPending(store: Store): Promise<readonly Figure[]> {
  const value = await store.read(async (snapshot) => {
    const row = await snapshot
      .selectFrom('notification_deliveries')
      .select(({ fn }) => fn.countAll<number>().as('pending'))
      .where('state', '=', sql.lit('pending'))
      .executeTakeFirst();
    return row?.pending ?? 0;
  });
  return [gauge(coreFigures.notificationsPending, [{ labels: {}, value }])];
}
