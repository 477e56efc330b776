import { type DatabaseConnection, PostgresDriver } from 'kysely';
import type pg from 'pg';

/** Kysely's driver for a pool of connections; `beforeAcquire` throws where the caller must not have one. */
export class PooledDriver extends PostgresDriver {
  readonly #beforeAcquire: () => void;

  constructor(pool: pg.Pool, beforeAcquire: () => void) {
    super({ pool });
    this.#beforeAcquire = beforeAcquire;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#beforeAcquire();
    return super.acquireConnection();
  }
}
