import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { currentReader } from '../../current-reader.ts';
import { createReadTurns, type ReadTurn, type ReadTurns } from '../../read-turns.ts';
import { asStorageLoss } from '../../store-error.ts';
import type { ReadQuestion } from './read-question.ts';
import { createReadThread, type ReadThread } from './read-thread.ts';

/** So many accounts read at once. A thread is started when it is needed first, and takes about 12 MB. */
const maxThreads = 2;

/**
 * Kysely driver for reading threads, each with its own connection: neither the event loop nor the writing connection waits for their
 * queries. A transaction sees one state of the database, whatever is written meanwhile. Accounts take turns.
 */
export class ReadDriver implements Driver {
  readonly #connections: readonly ReadConnection[];
  readonly #beforeAcquire: () => void;
  readonly #turns: ReadTurns;

  /** `beforeAcquire` throws if the caller must not wait for a turn; `onFault` gets the errors of statements. */
  constructor(
    file: string,
    {
      beforeAcquire,
      onFault,
      maxMs,
    }: {
      readonly beforeAcquire: () => void;
      readonly onFault: (cause: unknown) => void;
      readonly maxMs: number;
    },
  ) {
    this.#connections = Array.from({ length: maxThreads }, () => createConnection(createReadThread(file), onFault));
    this.#beforeAcquire = beforeAcquire;
    this.#turns = createReadTurns({ connections: maxThreads, maxMs });
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#beforeAcquire();
    const turn = await this.#turns.begin(currentReader());
    const connection = this.#connections[turn.connection] as ReadConnection;
    connection.begin(turn);
    return connection;
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as ReadConnection).end();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as ReadConnection).ask({ sql: 'BEGIN', parameters: [] });
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as ReadConnection).ask({ sql: 'COMMIT', parameters: [] });
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as ReadConnection).rollBack();
  }

  /** Waits for the readings under way. */
  async destroy(): Promise<void> {
    await this.#turns.over();
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

/** A thread, during one turn after the other. */
type ReadConnection = DatabaseConnection & {
  begin(turn: ReadTurn): void;
  ask(question: ReadQuestion): Promise<readonly unknown[]>;
  rollBack(): Promise<void>;
  end(): void;
  close(): Promise<void>;
};

function createConnection(thread: ReadThread, onFault: (cause: unknown) => void): ReadConnection {
  let turn: ReadTurn | undefined;
  /** Set when the turn's statement went on after its time: settles when that has ended. */
  let lost: Promise<void> | undefined;

  async function ask(question: ReadQuestion): Promise<readonly unknown[]> {
    if (turn === undefined) throw new Error('A statement was run after its reading had ended');
    turn.check();
    return orLate(turn, thread.ask(question));
  }

  /** A statement that takes too long is left to end by itself, and another thread takes its place. */
  async function orLate({ late }: ReadTurn, answer: Promise<readonly unknown[]>): Promise<readonly unknown[]> {
    let leave = () => {};
    const isLate = new Promise<never>((_, reject) => {
      leave = () => {
        lost = thread.abandon();
        reject(late.reason);
      };
    });
    late.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([answer, isLate]);
    } catch (cause) {
      if (cause === late.reason) throw cause;
      onFault(cause);
      throw asStorageLoss(cause);
    } finally {
      late.removeEventListener('abort', leave);
    }
  }

  return {
    ask,
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      // The row type is Kysely's claim about the query.
      return { rows: (await ask({ sql, parameters })) as R[] };
    },
    streamQuery() {
      throw new Error('Rows are not streamed');
    },
    begin: (next) => {
      turn = next;
    },
    // The state of a thread that was left ends with it.
    rollBack: async () => {
      if (lost === undefined) await thread.ask({ sql: 'ROLLBACK', parameters: [] });
    },
    end: () => {
      const [ended, going] = [turn, lost];
      turn = undefined;
      lost = undefined;
      ended?.end(going);
    },
    close: thread.close,
  };
}
