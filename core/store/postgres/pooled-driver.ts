import { type DatabaseConnection, PostgresDriver } from 'kysely';
import type pg from 'pg';
import { asLoss } from './postgres-error.ts';

/**
 * Kysely's driver for a pool of connections; `beforeAcquire` throws where the caller must not have one. Whatever is not the
 * server's word about a statement is a `DatabaseLostError`, as for the connection that writes.
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
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query) => execute<never>(query).catch(lose);
    }
    return connection;
  }
}

function lose(cause: unknown): never {
  throw asLoss(cause);
}
