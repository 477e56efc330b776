import { CompiledQuery, type DatabaseConnection, PostgresDriver, type QueryResult } from 'kysely';
import type pg from 'pg';
import { currentReader } from '../current-reader.ts';
import { createReadTurns, ReadStoppedError, type ReadTurn, type ReadTurns } from '../read-turns.ts';
import { errorCode } from '../store-error.ts';
import { postgresLimits } from './connection-options.ts';
import { asLoss } from './postgres-error.ts';

/** Kysely's own, whose type it does not export. */
type PooledConnection = Parameters<PostgresDriver['releaseConnection']>[0];

type Execute = (query: CompiledQuery) => Promise<QueryResult<never>>;

/**
 * Kysely's driver for a connection pool; `beforeAcquire` throws if the caller must not get a connection. Any error except
 * the server's refusal of a statement becomes a `DatabaseLostError`, as for the writing connection.
 */
export class PooledDriver extends PostgresDriver {
  readonly #beforeAcquire: () => void;
  readonly #known = new WeakSet<DatabaseConnection>();

  constructor(pool: pg.Pool, beforeAcquire: () => void) {
    super({ pool });
    this.#beforeAcquire = beforeAcquire;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#beforeAcquire();
    const connection = await super.acquireConnection().catch(lose);
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      connection.executeQuery = this.wrap(
        connection,
        connection.executeQuery.bind(connection),
      ) as typeof connection.executeQuery;
    }
    return connection;
  }

  protected wrap(_: DatabaseConnection, execute: Execute): Execute {
    return (query) => execute(query).catch(lose);
  }
}

function lose(cause: unknown): never {
  throw asLoss(cause);
}

/** The server's error for a statement that took too long. */
const queryCanceled = '57014';

/** Connections for readers, who take turns at them. The server ends a statement of an account that takes too long. */
export class ReadPoolDriver extends PooledDriver {
  readonly #turns: ReadTurns;
  readonly #maxMs: number;
  readonly #turnAt = new WeakMap<DatabaseConnection, ReadTurn>();
  /** Whether the time limit of the connection is that of accounts. */
  readonly #isLimited = new WeakMap<DatabaseConnection, boolean>();
  readonly #beforeTurn: () => void;

  constructor(pool: pg.Pool, { beforeAcquire, maxMs }: { readonly beforeAcquire: () => void; readonly maxMs: number }) {
    super(pool, () => {});
    this.#beforeTurn = beforeAcquire;
    this.#maxMs = maxMs;
    this.#turns = createReadTurns({ connections: postgresLimits.maxReadConnections, maxMs });
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#beforeTurn();
    const turn = await this.#turns.begin(currentReader());
    const connection = await super.acquireConnection().catch((cause: unknown) => {
      turn.end();
      throw cause;
    });
    this.#turnAt.set(connection, turn);
    try {
      await this.#limit(connection, turn.isLimited);
      return connection;
    } catch (cause) {
      // The client may have gone meanwhile.
      await this.releaseConnection(connection as PooledConnection);
      throw cause;
    }
  }

  override async releaseConnection(connection: PooledConnection): Promise<void> {
    const turn = this.#turnAt.get(connection);
    this.#turnAt.delete(connection);
    try {
      await super.releaseConnection(connection);
    } finally {
      turn?.end();
    }
  }

  override async destroy(): Promise<void> {
    await this.#turns.over();
    await super.destroy();
  }

  protected override wrap(connection: DatabaseConnection, execute: Execute): Execute {
    const run = super.wrap(connection, execute);
    return async (query) => {
      const turn = this.#turnAt.get(connection);
      // The transaction has to be ended, whatever else is not to be read.
      if (query.sql !== 'rollback') turn?.check();
      return run(query).catch((cause: unknown) => {
        const isLate = turn?.isLimited === true && errorCode(cause) === queryCanceled;
        throw isLate ? new ReadStoppedError('late') : cause;
      });
    };
  }

  async #limit(connection: DatabaseConnection, isLimited: boolean): Promise<void> {
    if ((this.#isLimited.get(connection) ?? false) === isLimited) return;
    const ms = isLimited ? this.#maxMs : postgresLimits.readStatementMs;
    await connection.executeQuery(CompiledQuery.raw(`SET statement_timeout = ${ms}`));
    this.#isLimited.set(connection, isLimited);
  }
}
