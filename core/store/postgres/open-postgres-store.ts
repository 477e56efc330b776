import {
  type Driver,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  replaceWithNoncontingentExpression,
} from 'kysely';
import pg from 'pg';
import type { Secret } from '../../domain/values/secret.ts';
import type { Database } from '../database.ts';
import { createTransaction, refuseInside } from '../inside-transaction.ts';
import type { Store } from '../store.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { connectionOptions } from './connection-options.ts';
import { describeServer } from './describe-server.ts';
import { postgresMigrations } from './migrations/postgres-migrations.ts';
import type { Ownership } from './ownership.ts';
import { PooledDriver } from './pooled-driver.ts';
import { cannotReach } from './postgres-error.ts';
import { postgresLimits } from './postgres-limits.ts';
import { QueryCompiler } from './query-compiler.ts';
import { createWriteConnection } from './write-connection.ts';
import { WriteDriver } from './write-driver.ts';

/**
 * Opens a database of a PostgreSQL server and brings its schema up to date. The process that keeps its books gives its
 * `ownership`. Rejects with a `StoreError` or `StartError` whose message tells the operator what to do.
 */
export async function openPostgresStore(url: Secret<string>, ownership?: Ownership): Promise<Store> {
  const server = describeServer(url);
  const writing = createWriteConnection(connectionOptions(url, postgresLimits.statementMs), async (client) =>
    ownership?.take(client),
  );
  try {
    const client = await writing.get();
    await bringUpToDate(client, server, postgresMigrations);
    await ownership?.begin(client);
  } catch (error) {
    await writing.end().catch(() => {});
    throw cannotReach(server, error);
  }

  const queries = createPool(url, postgresLimits.statementMs, postgresLimits.maxQueryConnections);
  const readings = createPool(url, postgresLimits.readStatementMs, postgresLimits.maxReadConnections);
  const db = createKysely(() => new PooledDriver(queries, () => refuseInside(writing, 'db')));
  const reading = createKysely(() => new PooledDriver(readings, () => refuseInside(writing, 'read')));
  const writer = createKysely(() => new WriteDriver(writing, () => refuseInside(writing, 'transaction')));

  return {
    db,
    transaction: createTransaction(writing, (work) => writer.transaction().execute(work)),
    read: (work) => reading.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close: async () => {
      await Promise.all([end(reading, readings), end(db, queries)]);
      await end(writer, writing);
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
  // Of a connection that nobody uses at the moment: the next query gets another one.
  pool.on('error', () => {});
  return pool;
}

/** Kysely has a driver, and ends it, only from its first query on. */
async function end(kysely: Kysely<Database>, connections: { end(): Promise<void>; ended?: boolean }): Promise<void> {
  await kysely.destroy();
  if (connections.ended !== true) await connections.end();
}

function createKysely(createDriver: () => Driver): Kysely<Database> {
  return new Kysely<Database>({
    // No value is in a list without any, which the server does not read; SQLite does.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
    dialect: {
      createDriver,
      createQueryCompiler: () => new QueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    },
  });
}
