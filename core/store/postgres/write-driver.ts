import { setTimeout as pause } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type pg from 'pg';
import { DatabaseLostError } from '../database-lost-error.ts';
import { createTurns } from '../turns.ts';
import { asLostWrite, isRefusedStatement } from './postgres-error.ts';
import { postgresLimits } from './postgres-limits.ts';
import { beginSerialised } from './serialise.ts';
import type { WriteConnection } from './write-connection.ts';

/** Milliseconds between two questions what became of a transaction. */
const betweenQuestions = 250;

type Open = { readonly client: pg.Client; readonly transaction: string };

/**
 * Kysely driver for the one connection that writes. Callers are served in the order they came; every transaction has the turn
 * of all writers at the database. When the answer to a COMMIT is lost the server is asked what became of it: a caller is told
 * that it failed only where that is so.
 */
export class WriteDriver implements Driver {
  readonly #connection: WriteConnection;
  readonly #beforeAcquire: () => void;
  readonly #turns = createTurns();
  #open: Open | undefined;
  /** A transaction of which nobody could say whether it was committed. */
  #unknown: string | undefined;

  /** `beforeAcquire` throws where the caller must not wait for the connection. */
  constructor(connection: WriteConnection, beforeAcquire: () => void) {
    this.#connection = connection;
    this.#beforeAcquire = beforeAcquire;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#beforeAcquire();
    await this.#turns.begin();
    return {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
        const { client } = this.#inTransaction();
        const { rows, rowCount, command } = await client.query(sql, [...parameters]).catch((error: unknown) => {
          throw asLostWrite(error);
        });
        // The row type is Kysely's claim about the query.
        if (command === 'SELECT') return { rows: rows as R[] };
        return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
      },
      streamQuery() {
        throw new Error('Rows are not streamed: the connection would be held while they are handled');
      },
    };
  }

  async releaseConnection(): Promise<void> {
    this.#turns.end();
  }

  async beginTransaction(): Promise<void> {
    const client = await this.#ready().catch((error: unknown) => {
      throw asLostWrite(error);
    });
    try {
      // The results of three statements, which the types of pg do not know.
      const results = (await client.query(beginSerialised)) as unknown as pg.QueryResult<{ id: string }>[];
      const transaction = results.at(-1)?.rows[0]?.id;
      if (transaction === undefined) throw new Error('The database did not say which transaction has begun');
      this.#open = { client, transaction };
    } catch (error) {
      // It may have begun.
      if (isRefusedStatement(error)) await client.query('ROLLBACK').catch(() => this.#connection.drop(client));
      else this.#connection.drop(client);
      throw asLostWrite(error);
    }
  }

  async commitTransaction(): Promise<void> {
    const { client, transaction } = this.#inTransaction();
    let answer: pg.QueryResult;
    try {
      answer = await client.query('COMMIT');
    } catch (error) {
      if (isRefusedStatement(error)) throw error;
      this.#connection.drop(client);
      if (await this.#wasCommitted(transaction)) {
        this.#open = undefined;
        return;
      }
      throw asLostWrite(error);
    }
    // What the server answers when a statement had failed, whose error somebody has caught.
    if (answer.command !== 'COMMIT')
      throw new Error('The transaction was rolled back: one of its statements had failed');
    this.#open = undefined;
  }

  async rollbackTransaction(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    // The error of the transaction itself is the one to be told.
    await open.client.query('ROLLBACK').catch(() => this.#connection.drop(open.client));
  }

  async destroy(): Promise<void> {
    await this.#turns.begin();
    await this.#connection.end();
    this.#turns.end();
  }

  #inTransaction(): Open {
    if (this.#open === undefined) throw new Error('What is written goes through store.transaction');
    return this.#open;
  }

  /** What became of a transaction whose commit was not answered. */
  async #wasCommitted(transaction: string): Promise<boolean> {
    this.#unknown = transaction;
    for (let waited = 0; waited < postgresLimits.commitFateMs; waited += betweenQuestions) {
      const fate = await this.#askFate(transaction).catch(() => undefined);
      if (fate === 'committed' || fate === 'aborted') {
        this.#unknown = undefined;
        return fate === 'committed';
      }
      await pause(betweenQuestions);
    }
    return false;
  }

  async #askFate(transaction: string): Promise<string | null | undefined> {
    const client = await this.#connection.connectBeside();
    try {
      const { rows } = await client.query<{ fate: string | null }>('SELECT pg_xact_status($1::xid8) AS fate', [
        transaction,
      ]);
      return rows[0]?.fate;
    } finally {
      client.end().catch(() => {});
    }
  }

  /**
   * The connection, once it is known what became of the last transaction. Its caller was told that it failed: where it was
   * committed after all, nothing in this process's memory is sure.
   */
  async #ready(): Promise<pg.Client> {
    if (this.#unknown !== undefined) {
      const fate = await this.#askFate(this.#unknown);
      if (fate !== 'aborted') {
        throw new DatabaseLostError(
          'a transaction that was given up may have been committed; start this process again',
        );
      }
      this.#unknown = undefined;
    }
    return this.#connection.get();
  }
}
