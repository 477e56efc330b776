import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { asStorageLoss } from '../../storage-fault.ts';
import { createTurns } from '../../turns.ts';
import { createReadThread, type ReadThread } from './read-thread.ts';

/**
 * Kysely driver for a reading thread: neither the event loop nor the writing connection waits for its queries. Its
 * transactions see one state of the database, whatever is written meanwhile.
 */
export class ReadDriver implements Driver {
  readonly #thread: ReadThread;
  readonly #ask: ReadThread['ask'];
  readonly #connection: DatabaseConnection;
  readonly #beforeAcquire: () => void;
  readonly #turns = createTurns();

  /** `beforeAcquire` throws if the caller must not wait for the connection; `onFault` gets the errors of statements. */
  constructor(file: string, beforeAcquire: () => void, onFault: (cause: unknown) => void) {
    const thread = createReadThread(file);
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
