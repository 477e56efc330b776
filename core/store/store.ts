import type { Kysely, Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Notice } from './notices.ts';

/** The service's durable state. A failure of the database (locked, disk full) is a rejected promise, never a refusal. */
export type Store = {
  /**
   * For reading a few rows outside a transaction, by the service's own work: all writes go through `transaction`. Using it inside the
   * `work` of one rejects.
   */
  readonly db: Kysely<Database>;
  /**
   * For what an account asks to read, one statement at a time: neither the event loop nor a transaction waits for it, and accounts
   * take turns. It sees what was committed before. Rejects with a `ReadStoppedError` when no one waits for the answer any more, or
   * when it takes too long. Not to be used inside the `work` of `read`, which has the account's turn.
   */
  readonly reading: Kysely<Database>;
  /**
   * Runs `work` in a transaction that holds the write lock from its first statement, one after the other in the order of the
   * calls. Committed durably when the promise resolves, rolled back when `work` rejects. `work` must await only its own
   * queries, because all other writers wait.
   */
  transaction<T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T>;
  /**
   * Reads in `work` of several statements, all on the state at its first one.
   */
  read<T>(work: (snapshot: Transaction<Database>) => Promise<T>): Promise<T>;
  readonly leadership: Leadership;
  /**
   * Calls `listener` with notices of this process and the others at the database (see `notifyOthers`), and with undefined
   * when some may have been lost. Returns a function that unsubscribes.
   */
  hear(listener: (notice: Notice | undefined) => void): () => void;
  /**
   * Since when the database is known to lack committed data, in Unix seconds by its own clock; undefined if it lacks
   * nothing. Exact within a transaction, otherwise as of the last one.
   */
  lostAt(): number | undefined;
  /** Why the database can no longer be trusted, in words: part of its file is damaged. Stays set until a restart. */
  damage(): string | undefined;
  /** Waits for the running transaction, then closes the file. */
  close(): Promise<void>;
};

/** Which of the processes at one database does the background work: at most one. */
export type Leadership = {
  /** Whether there may be others. */
  readonly isShared: boolean;
  /** Whether this process leads, as far as it knows. */
  leads(): boolean;
  /** The leader's name, for people; undefined if there is only one process. */
  leader(): Promise<string | undefined>;
  /** Calls `listener` after each change of `leads`. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /**
   * Call this first in a transaction. Rejects with a `NotLeadingError` unless this process leads, and no other has led since
   * it began to: a process that was suspended may not know.
   */
  check(trx: Transaction<Database>): Promise<void>;
};
