import type BetterSqlite3 from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { StatementRuns } from '../statements/fixed-statement.ts';
import type { TogetherConnection } from '../statements/run-together.ts';
import { asStorageLoss } from '../store-error.ts';
import { createTurns } from '../turns.ts';
import { createPreparedStatements } from './prepared-statements.ts';

/**
 * Kysely driver for one better-sqlite3 connection. It differs from Kysely's own: transactions take the write lock at once
 * (BEGIN IMMEDIATE, so they cannot fail half-way for lack of it), callers are served in order of arrival, statements in use
 * stay prepared, a failed transaction keeps its own error when SQLite has already rolled it back, and a storage fault is a
 * `DatabaseLostError`, as on PostgreSQL.
 */
export class SqliteDriver implements Driver {
  readonly #database: BetterSqlite3.Database;
  readonly #connection: DatabaseConnection;
  readonly #beforeAcquire: () => void;
  readonly #begin: string;
  readonly #onFault: (cause: unknown) => void;
  readonly #onCommit: () => void;
  readonly #turns = createTurns();

  /**
   * `beforeAcquire` throws if the caller must not wait for the connection; `onFault` gets the errors of statements, `onCommit` is
   * called after each transaction. A read-only transaction takes no lock: BEGIN.
   */
  constructor(
    database: BetterSqlite3.Database,
    beforeAcquire: () => void,
    {
      begin = 'BEGIN IMMEDIATE',
      onFault = () => {},
      onCommit = () => {},
    }: {
      readonly begin?: 'BEGIN IMMEDIATE' | 'BEGIN';
      readonly onFault?: (cause: unknown) => void;
      readonly onCommit?: () => void;
    } = {},
  ) {
    this.#begin = begin;
    this.#onFault = onFault;
    this.#onCommit = onCommit;
    this.#database = database;
    this.#beforeAcquire = beforeAcquire;
    this.#connection = createConnection(database, onFault);
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
    orLose(() => this.#database.exec(this.#begin), this.#onFault);
  }

  async commitTransaction(): Promise<void> {
    orLose(() => this.#database.exec('COMMIT'), this.#onFault);
    this.#onCommit();
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }

  async destroy(): Promise<void> {
    await this.acquireConnection();
    this.#database.close();
    await this.releaseConnection();
  }
}

function createConnection(database: BetterSqlite3.Database, onFault: (cause: unknown) => void): TogetherConnection {
  const prepare = createPreparedStatements(database);

  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      return orLose(() => {
        const statement = prepare(query.sql);
        // The row type is Kysely's claim about the query; better-sqlite3 cannot know it.
        if (statement.reader) return { rows: statement.all(query.parameters) as R[] };
        const { changes, lastInsertRowid } = statement.run(query.parameters);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      }, onFault);
    },
    async runTogether(statements) {
      return orLose(() => statements.map(({ sql, runs }) => runAll(prepare(sql), runs)), onFault);
    },
    streamQuery() {
      throw new Error('Rows are not streamed: the connection would be held while they are handled');
    },
  };
}

function runAll(statement: BetterSqlite3.Statement, runs: StatementRuns['runs']): readonly unknown[] {
  const rows: unknown[] = [];
  for (const parameters of runs) {
    if (statement.reader) rows.push(...statement.all(parameters));
    else statement.run(parameters);
  }
  return rows;
}

function orLose<T>(work: () => T, onFault: (cause: unknown) => void): T {
  try {
    return work();
  } catch (cause) {
    onFault(cause);
    throw asStorageLoss(cause);
  }
}
