import {
  type Driver,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely';
import pg from 'pg';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/values/secret.ts';
import type { Database } from '../database.ts';
import { createTransaction, refuseInside } from '../inside-transaction.ts';
import { leadsAlone } from '../leading.ts';
import { createNoticeListener, type Ear, type Notice } from '../notices.ts';
import { maxReadMs } from '../read-turns.ts';
import type { Leadership, Store } from '../store.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { channelName, connectionOptions, postgresLimits } from './connection-options.ts';
import { describeServer } from './inspect-server.ts';
import { PooledDriver, ReadPoolDriver } from './pooled-driver.ts';
import { cannotReach } from './postgres-error.ts';
import { QueryCompiler } from './query-compiler.ts';
import { type Candidate, leadingLimits, standForLeader } from './stand-for-leader.ts';
import { createWriteConnection } from './write-connection.ts';
import { WriteDriver } from './write-driver.ts';

const databaseWentBack =
  'The database lost committed data. A standby without it has taken over, or an older copy was restored. Nothing is signed until ' +
  'earlier signatures have landed or expired';

/** A candidate for leading, with a name that identifies it. */
type Candidacy = { readonly name: string; readonly logger: Logger };

/**
 * Opens a PostgreSQL database and upgrades its schema, alongside any other processes. Of the processes with a `candidacy`,
 * one leads; programs without one do not take part. Rejects with a `StoreError` or `StartError` whose message tells the
 * operator what to do.
 */
export async function openPostgresStore(url: Secret<string>, candidacy?: Candidacy, maxMs = maxReadMs): Promise<Store> {
  const server = describeServer(url);
  const writing = createWriteConnection(connectionOptions(url, postgresLimits.statementMs));
  const ear = createNoticeListener();
  let candidate: Candidate | undefined;
  let driver: WriteDriver | undefined;
  try {
    await migrate(url, server);
    await writing.get();
    if (candidacy !== undefined) {
      candidate = standForLeader(() => connectSession(url, ear), {
        ...candidacy,
        onLook: ({ lostAt }) => driver?.noteLostAt(lostAt),
      });
      await candidate.tried;
    }
  } catch (error) {
    await writing.end().catch(() => {});
    throw cannotReach(server, error);
  }

  const queries = createPool(url, postgresLimits.statementMs, postgresLimits.maxQueryConnections);
  const readings = createPool(url, postgresLimits.readStatementMs, postgresLimits.maxReadConnections);
  const db = createKysely(() => new PooledDriver(queries, () => refuseInside(writing, 'db')));
  const beforeAcquire = () => refuseInside(writing, 'read');
  const reading = createKysely(() => new ReadPoolDriver(readings, { beforeAcquire, maxMs }));
  const onLoss = () => {
    candidacy?.logger.error({ server }, databaseWentBack);
    // Cached data may be missing in the database.
    ear.reported(undefined);
  };
  const writeDriver = new WriteDriver(writing, () => refuseInside(writing, 'transaction'), {
    onLoss,
    onOutdated: () => candidate?.lookNow(),
  });
  driver = writeDriver;
  const writer = createKysely(() => writeDriver);

  return {
    db,
    reading,
    leadership: candidate === undefined ? leadsAlone : withLeader(candidate, db),
    hear: ear.hear,
    transaction: createTransaction(writing, (work) => writer.transaction().execute(work)),
    lostAt: () => writeDriver.lostAt,
    // The server reports damage per statement, and handles it itself.
    damage: () => undefined,
    read: (work) => reading.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close: async () => {
      await candidate?.close();
      await Promise.all([end(reading, readings), end(db, queries)]);
      await end(writer, writing);
    },
  };
}

/** Uses a separate connection, whose statements may take as long as a large table needs. */
async function migrate(url: Secret<string>, server: string): Promise<void> {
  const migrating = createWriteConnection(connectionOptions(url, postgresLimits.wholeTableMs));
  try {
    await bringUpToDate(await migrating.get(), server);
  } finally {
    await migrating.end().catch(() => {});
  }
}

/** Adds the name of the current, or last, leader. */
function withLeader(candidate: Candidate, db: Kysely<Database>): Leadership {
  return {
    ...candidate,
    leader: async () => {
      const { rows } = await sql<{ name: string | null }>`SELECT name FROM database_owner`.execute(db);
      return rows[0]?.name ?? undefined;
    },
  };
}

function createPool(url: Secret<string>, statementMs: number, max: number): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url, statementMs),
    max,
    idleTimeoutMillis: postgresLimits.idleMs,
    allowExitOnIdle: true,
  });
  // For an idle connection: the next query gets another one.
  pool.on('error', () => {});
  // For a connection in use: its query reports the error, and without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Kysely creates a driver at its first query, and only then can end it. */
async function end(kysely: Kysely<Database>, connections: { end(): Promise<void>; ended?: boolean }): Promise<void> {
  await kysely.destroy();
  if (connections.ended !== true) await connections.end();
}

function createKysely(createDriver: () => Driver): Kysely<Database> {
  return new Kysely<Database>({
    // SQLite accepts an empty list after IN, PostgreSQL does not.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
    dialect: {
      createDriver,
      createQueryCompiler: () => new QueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    },
  });
}

/** Opens the session for leading and for notices. It ends soon after the process falls silent; earlier notices are lost. */
async function connectSession(url: Secret<string>, { reported }: Pick<Ear, 'reported'>): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(url, leadingLimits.statement));
  // Without a listener it would end the process; the next query reports the error.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`SET idle_session_timeout = ${leadingLimits.maxSilence}`);
    // Another version may send notices that are unknown here; they are ignored.
    client.on('notification', ({ payload }) => reported(payload as Notice));
    const { rows } = await client.query<{ name: string }>(`SELECT ${channelName} AS name`);
    await client.query(`LISTEN ${rows[0]?.name}`);
    reported(undefined);
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}
