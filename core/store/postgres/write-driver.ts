import { setTimeout as pause } from 'node:timers/promises';
import type { CompiledQuery, Driver, QueryResult } from 'kysely';
import type pg from 'pg';
import { newestVersion } from '../migrations/history.ts';
import type { StatementRuns } from '../statements/fixed-statement.ts';
import type { TogetherConnection } from '../statements/run-together.ts';
import { DatabaseLostError, errorCode } from '../store-error.ts';
import { createTurns } from '../turns.ts';
import { postgresLimits } from './connection-options.ts';
import { asLostWrite, isRefusedStatement } from './postgres-error.ts';
import { type Fate, type LastCommit, readPosition, readServerHistory, wasLost } from './read-server-history.ts';
import { beginNoted } from './serialise.ts';
import { fixedPlanMode, type PlanMode, statementName, type WriteConnection } from './write-connection.ts';

/** SQLSTATE of a lock wait that timed out (`lock_timeout`). */
const lockNotAvailable = '55P03';
/** Milliseconds between two queries about a transaction's outcome. */
const betweenQuestions = 250;

const changedMeanwhile =
  'a newer version of the program has changed the format of what is written. Start this process with that version';

type Open = {
  readonly client: pg.Client;
  planMode: PlanMode;
  /** A transaction without changes is no loss: the server does not wait for its disk to commit it. */
  hasWritten: boolean;
} & LastCommit;

/** What is known when a transaction of the service begins. */
type Begun = {
  readonly id: string;
  readonly position: string | null;
  readonly lost_at: number | null;
  readonly oldest_writer: number | null;
};

/** Events of the writer. */
type WriteEvents = {
  /** The database lacks committed data. */
  readonly onLoss: () => void;
  /** A newer version has changed the format. */
  readonly onOutdated: () => void;
};

/**
 * Kysely driver for the single writing connection. Callers are served in order of arrival; every transaction holds the turn
 * of all writers at the database. If the answer to a COMMIT is lost, the server is asked for the outcome: a caller gets an
 * error only if the transaction really failed.
 */
export class WriteDriver implements Driver {
  readonly #connection: WriteConnection;
  readonly #beforeAcquire: () => void;
  readonly #on: WriteEvents;
  readonly #turns = createTurns();
  #open: Open | undefined;
  /** A transaction whose outcome is unknown. */
  #unknown: LastCommit | undefined;
  /** The last committed transaction with changes. */
  #last: LastCommit | undefined;
  /** The connection whose server is known to have all committed data. */
  #checked: pg.Client | undefined;
  /**
   * Since when the database is known to lack committed data, in Unix seconds by its clock: as of the start of the last
   * transaction.
   */
  lostAt: number | undefined;

  /** How often each connection has run each fixed statement, by its SQL. */
  readonly #runs = new WeakMap<pg.Client, Map<string, number>>();

  /** `beforeAcquire` throws where the caller must not wait for the connection. */
  constructor(connection: WriteConnection, beforeAcquire: () => void, on: WriteEvents) {
    this.#connection = connection;
    this.#on = on;
    this.#beforeAcquire = beforeAcquire;
  }

  async init(): Promise<void> {}

  /** Read by another connection. An open transaction knows better, since it holds the turn of all writers. */
  noteLostAt(lostAt: number | undefined): void {
    if (this.#open === undefined) this.lostAt = lostAt;
  }

  async acquireConnection(): Promise<TogetherConnection> {
    this.#beforeAcquire();
    await this.#turns.begin();
    return {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
        this.#planBy('auto');
        const { rows, rowCount, command } = await this.#run({ text: sql, values: [...parameters] });
        // The row type is Kysely's claim about the query.
        if (command === 'SELECT') return { rows: rows as R[] };
        return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
      },
      runTogether: (statements) => {
        const { client } = this.#inTransaction();
        const { stream } = client.connection;
        // The client writes each separately, without waiting for previous answers: corked, they leave in one packet.
        stream.cork();
        this.#planBy(fixedPlanMode);
        if (this.#isDueToPlan(client, statements)) client.query('DISCARD PLANS').catch(() => {});
        const answers = Promise.all(statements.map((statement) => this.#runAll(statement)));
        stream.uncork();
        return answers;
      },
      streamQuery() {
        throw new Error('Rows are not streamed: the connection would be held while they are handled');
      },
    };
  }

  async #runAll({ sql, runs }: StatementRuns): Promise<readonly unknown[]> {
    const name = statementName(sql);
    const results = await Promise.all(runs.map((values) => this.#run({ name, text: sql, values: [...values] })));
    return results.flatMap(({ rows }) => rows);
  }

  async #run(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const open = this.#inTransaction();
    const result = await open.client.query(query).catch((error: unknown) => {
      throw asLostWrite(error);
    });
    if (result.command !== 'SELECT' && result.rowCount !== 0) open.hasWritten = true;
    return result;
  }

  /**
   * Whether a fixed statement runs for the first, second, fourth, eighth … time. Its plan may be for a table that had few rows,
   * and reads all of them. The server itself notices that a table has grown once it has analysed it again.
   */
  #isDueToPlan(client: pg.Client, statements: readonly StatementRuns[]): boolean {
    const counts = this.#runs.get(client) ?? new Map<string, number>();
    this.#runs.set(client, counts);
    const due = statements.filter(({ sql, runs }) => {
      const count = (counts.get(sql) ?? 0) + runs.length;
      counts.set(sql, count);
      return runs.length > 0 && Number.isInteger(Math.log2(count));
    });
    return due.length > 0;
  }

  /** From here to the end of the transaction. If it fails, the statement after it fails too. */
  #planBy(mode: PlanMode): void {
    const open = this.#inTransaction();
    if (open.planMode === mode) return;
    open.planMode = mode;
    open.client.query(`SET LOCAL plan_cache_mode = ${mode}`).catch(() => {});
  }

  async releaseConnection(): Promise<void> {
    this.#turns.end();
  }

  async beginTransaction(): Promise<void> {
    const client = await this.#ready().catch((error: unknown) => {
      throw asLostWrite(error);
    });
    try {
      const history = this.#connection.historyOf(client);
      const begun = await begin(client, history !== undefined);
      if (begun === undefined) throw new Error('The database did not report the id of the transaction');
      if ((begun.oldest_writer ?? 0) > newestVersion) {
        this.#on.onOutdated();
        throw new DatabaseLostError(changedMeanwhile);
      }
      const position = begun.position === null ? undefined : readPosition(begun.position);
      this.#open = { client, transaction: begun.id, position, history, planMode: fixedPlanMode, hasWritten: false };
      this.lostAt = begun.lost_at ?? undefined;
    } catch (error) {
      // It may have begun.
      if (isRefusedStatement(error) || error instanceof DatabaseLostError)
        await client.query('ROLLBACK').catch(() => this.#connection.drop(client));
      else this.#connection.drop(client);
      throw asLostWrite(error);
    }
  }

  async commitTransaction(): Promise<void> {
    const open = this.#inTransaction();
    const { client } = open;
    let answer: pg.QueryResult;
    try {
      answer = await client.query('COMMIT');
    } catch (error) {
      if (isRefusedStatement(error)) throw error;
      this.#connection.drop(client);
      if (await this.#wasCommitted(open)) {
        this.#end(open);
        return;
      }
      throw asLostWrite(error);
    }
    // The server's answer if a statement had failed and the caller ignored the error.
    if (answer.command !== 'COMMIT')
      throw new Error('The transaction was rolled back: one of its statements had failed');
    this.#end(open);
  }

  /** The transaction is committed. */
  #end({ transaction, position, history, hasWritten }: Open): void {
    this.#open = undefined;
    if (hasWritten) this.#last = { transaction, position, history };
  }

  async rollbackTransaction(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    // The transaction's own error is the one to report.
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

  /** The outcome of a transaction whose commit was not answered. */
  async #wasCommitted(open: LastCommit): Promise<boolean> {
    this.#unknown = open;
    for (let waited = 0; waited < postgresLimits.commitFateMs; waited += betweenQuestions) {
      const fate = await this.#askFate(open).catch(() => undefined);
      if (fate === 'committed' || fate === 'aborted') {
        this.#unknown = undefined;
        return fate === 'committed';
      }
      await pause(betweenQuestions);
    }
    return false;
  }

  /** Uses a separate connection. A server without the history before the transaction never commits it. */
  async #askFate(asked: LastCommit): Promise<Fate> {
    const client = await this.#connection.connectBeside();
    try {
      const fate = await fateAt(client, asked.transaction);
      if (fate === 'committed' && wasLost(asked, fate, await readServerHistory(client))) return 'aborted';
      return fate === 'none' ? 'aborted' : fate;
    } finally {
      client.end().catch(() => {});
    }
  }

  /**
   * The connection, once the last transaction's outcome is known. Its caller got an error: if it was committed after all,
   * this process's memory cannot be trusted.
   */
  async #ready(): Promise<pg.Client> {
    const client = await this.#connection.get();
    if (client !== this.#checked && this.#last !== undefined) await this.#noteLoss(client, this.#last);
    this.#checked = client;
    if (this.#unknown !== undefined) {
      const fate = await this.#askFate(this.#unknown);
      if (fate !== 'aborted') {
        throw new DatabaseLostError('an abandoned transaction may have been committed. Restart this process');
      }
      this.#unknown = undefined;
    }
    return client;
  }

  /** Records for all processes if the server of a new connection lacks committed data. */
  async #noteLoss(client: pg.Client, last: LastCommit): Promise<void> {
    const fate = await fateAt(client, last.transaction).catch((cause: unknown) => {
      // The server may have changed since the connection was opened.
      this.#connection.drop(client);
      throw cause;
    });
    if (!wasLost(last, fate, this.#connection.historyOf(client))) return;
    await client.query('UPDATE database_owner SET lost_at = floor(extract(epoch FROM clock_timestamp()))::bigint');
    this.#last = undefined;
    this.#on.onLoss();
  }
}

/** Under load the other writers may need longer than one wait. Nothing has begun, so the wait can be repeated. */
const maxWaitsForTurn = 2;

/** Begins a transaction once it has the turn of all writers. */
async function begin(client: pg.Client, tellsPosition: boolean): Promise<Begun | undefined> {
  for (let waits = 1; ; waits += 1) {
    try {
      // The results of three statements, which pg's types do not cover.
      const results = (await client.query(beginNoted(tellsPosition))) as unknown as pg.QueryResult<Begun>[];
      return results.at(-1)?.rows[0];
    } catch (error) {
      if (errorCode(error) !== lockNotAvailable || waits === maxWaitsForTurn) throw error;
      await client.query('ROLLBACK');
    }
  }
}

/** A server's status of a transaction. A replica may still receive it later. */
async function fateAt(client: pg.Client, transaction: string): Promise<Fate> {
  const { rows } = await client.query<{ follows: number }>('SELECT pg_is_in_recovery() AS follows');
  if (rows[0]?.follows !== 0) throw new DatabaseLostError('its server is read-only');
  try {
    const { rows } = await client.query<{ fate: Exclude<Fate, 'none'> | null }>(
      'SELECT pg_xact_status($1::xid8) AS fate',
      [transaction],
    );
    return rows[0]?.fate ?? undefined;
  } catch (error) {
    // A number that it has not reached yet.
    if (isRefusedStatement(error)) return 'none';
    throw error;
  }
}
