import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Database } from '../database.ts';
import { createTransaction, refuseInside } from '../inside-transaction.ts';
import { leadsAlone } from '../leading.ts';
import type { Store } from '../store.ts';
import { asStorageLoss, cannotOpen, DatabaseLostError, isDamage, storageFault } from '../store-error.ts';
import { createTurns } from '../turns.ts';
import { migrate } from './migrate.ts';
import { refuseMoved } from './moved-mark.ts';
import { openSqlite } from './open-sqlite.ts';
import { createReadThread, type ReadThread } from './reading/read-thread.ts';
import { SqliteDriver } from './sqlite-driver.ts';

/**
 * After so many commits, the thread that reads copies the write-ahead log to the database file: that waits for the disk twice, and
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
export async function openSqliteStore(file: string): Promise<SqliteStore> {
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

  // With one connection such a query would wait forever for its own transaction, and a large read would delay it.
  const thread = createReadThread(database.name);
  let commits = 0;
  const onCommit = () => {
    commits += 1;
    if (commits > commitsAlone && commits % commitsPerCheckpoint === 0) thread.checkpoint();
  };
  const db = createKysely(() => new SqliteDriver(database, () => refuseInside(database, 'db'), { onFault, onCommit }));
  const reading = createKysely(() => new ReadDriver(thread, () => refuseInside(database, 'read'), onFault));

  // Before its first query Kysely has no driver, and closing would neither wait nor close the file.
  await db.connection().execute(async () => {});

  return {
    db,
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
      await db.destroy();
    },
  };
}

function createKysely(createDriver: () => Driver): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createDriver,
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
  });
}

/**
 * Kysely driver for a reading thread: neither the event loop nor the writing connection waits for its queries. Its
 * transactions see one state of the database, whatever is written meanwhile.
 */
class ReadDriver implements Driver {
  readonly #thread: ReadThread;
  readonly #ask: ReadThread['ask'];
  readonly #connection: DatabaseConnection;
  readonly #beforeAcquire: () => void;
  readonly #turns = createTurns();

  /** `beforeAcquire` throws if the caller must not wait for the connection; `onFault` gets the errors of statements. */
  constructor(thread: ReadThread, beforeAcquire: () => void, onFault: (cause: unknown) => void) {
    const ask: ReadThread['ask'] = (question) =>
      thread.ask(question).catch((cause: unknown) => {
        onFault(cause);
        throw asStorageLoss(cause);
      });
    this.#thread = thread;
    this.#ask = ask;
    this.#beforeAcquire = beforeAcquire;
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        // The row type is Kysely's claim about the query.
        return { rows: (await ask({ sql, parameters })) as R[] };
      },
      streamQuery() {
        throw new Error('Rows are not streamed');
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#beforeAcquire();
    await this.#turns.begin();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#turns.end();
  }

  async beginTransaction(): Promise<void> {
    await this.#ask({ sql: 'BEGIN', parameters: [] });
  }

  async commitTransaction(): Promise<void> {
    await this.#ask({ sql: 'COMMIT', parameters: [] });
  }

  async rollbackTransaction(): Promise<void> {
    await this.#ask({ sql: 'ROLLBACK', parameters: [] });
  }

  async destroy(): Promise<void> {
    await this.acquireConnection();
    await this.#thread.close();
    await this.releaseConnection();
  }
}
