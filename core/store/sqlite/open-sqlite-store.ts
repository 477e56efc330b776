import { createTransaction, refuseInside } from '../inside-transaction.ts';
import { leadsAlone } from '../leading.ts';
import { maxReadMs } from '../read-turns.ts';
import type { Store } from '../store.ts';
import { cannotOpen, DatabaseLostError, isDamage, storageFault } from '../store-error.ts';
import { createSqliteKysely } from './create-sqlite-kysely.ts';
import { migrate } from './migrate.ts';
import { refuseMoved } from './moved-mark.ts';
import { openSqlite } from './open-sqlite.ts';
import { ReadDriver } from './reading/read-driver.ts';
import { createReadThread } from './reading/read-thread.ts';
import { SqliteDriver } from './sqlite-driver.ts';

/**
 * After so many commits, a thread copies the write-ahead log to the database file: that waits for the disk twice, and
 * in a commit all requests would wait for it.
 */
const commitsPerCheckpoint = 8;
/** A program that commits less does not need the thread for it. */
const commitsAlone = 64;

/** `noteDamaged`: damage was found by other means than a statement. */
type SqliteStore = Store & { noteDamaged(): void };

/**
 * Opens the SQLite file, creates it if missing (mode 0600) and upgrades its schema. Rejects with a `StoreError` whose
 * message tells the operator what to do.
 */
export async function openSqliteStore(file: string, maxMs = maxReadMs): Promise<SqliteStore> {
  const database = openSqlite(file);
  try {
    refuseMoved(database);
    migrate(database);
  } catch (error) {
    database.close();
    // A full or failing disk can be retried; an error of the step itself cannot.
    throw storageFault(error) === undefined ? error : cannotOpen(file, error);
  }

  let isDamaged = false;
  const onFault = (cause: unknown) => {
    isDamaged ||= isDamage(cause);
  };
  const damage = () => (isDamaged ? 'the database is damaged. Restore a backup' : undefined);

  // Apart from the threads that read: a long reading must not let the log grow.
  const copying = createReadThread(database.name);
  let commits = 0;
  const onCommit = () => {
    commits += 1;
    if (commits > commitsAlone && commits % commitsPerCheckpoint === 0) copying.checkpoint();
  };
  const db = createSqliteKysely(
    () => new SqliteDriver(database, () => refuseInside(database, 'db'), { onFault, onCommit }),
  );
  // With one connection such a query would wait forever for its own transaction, and a large read would delay it.
  const reading = createSqliteKysely(
    () => new ReadDriver(database.name, { beforeAcquire: () => refuseInside(database, 'read'), onFault, maxMs }),
  );

  // Before its first query Kysely has no driver, and closing would neither wait nor close the file.
  await db.connection().execute(async () => {});

  return {
    db,
    reading,
    leadership: leadsAlone,
    hear: () => () => {},
    lostAt: () => undefined,
    damage,
    noteDamaged: () => {
      isDamaged = true;
    },
    transaction: createTransaction(database, (work) => {
      const detail = damage();
      if (detail !== undefined) throw new DatabaseLostError(detail);
      return db.transaction().execute(work);
    }),
    read: (work) => reading.transaction().execute(work),
    close: async () => {
      await reading.destroy();
      await copying.close();
      await db.destroy();
    },
  };
}
