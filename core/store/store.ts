import type { Kysely, Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Notice } from './notices/notice.ts';

/** The service's durable state. A failure of the database (locked, disk full) is a rejected promise, never a refusal. */
export type Store = {
  /**
   * Queries outside a transaction, which read: all that is written goes through `transaction`. Using it inside the `work` of
   * one rejects.
   */
  readonly db: Kysely<Database>;
  /**
   * Runs `work` in a transaction that holds the write lock from its first statement, one after the other in the order
   * of the calls. Committed durably when the promise resolves, rolled back when `work` rejects. `work` awaits nothing
   * but its own queries, because everybody else is waiting.
   */
  transaction<T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T>;
  /**
   * Runs `work`, which reads many rows, in a thread of its own on what is committed at its first query: neither the event
   * loop nor a transaction waits for it. One after the other, so what reads few rows is better asked of `db`.
   */
  read<T>(work: (snapshot: Transaction<Database>) => Promise<T>): Promise<T>;
  readonly leadership: Leadership;
  /**
   * Calls `listener` with what this process and the others at the database have told (see `notifyOthers`), and with nothing when
   * something of it may have been lost. Returns what ends it.
   */
  hear(listener: (notice: Notice | undefined) => void): () => void;
  /**
   * Since when the database is known to lack what had been committed to it, in Unix seconds by its own clock; undefined where
   * it has all. Within a transaction it is right, and else as of the last one.
   */
  lostAt(): number | undefined;
  /** Why the database cannot be trusted any more, in words: part of its file is damaged. It stays so until a restart. */
  damage(): string | undefined;
  /** Waits for the running transaction, then closes the file. */
  close(): Promise<void>;
};

/** Which of the processes at one database does what runs by itself. It is one at most. */
export type Leadership = {
  /** Whether there may be others. */
  readonly isShared: boolean;
  /** Whether it is this one, as far as it knows. */
  leads(): boolean;
  /** Who it is, in the words it gave, for people; undefined where there is one process alone. */
  leader(): Promise<string | undefined>;
  /** Calls `listener` after each change of `leads`. Returns what ends it. */
  onChange(listener: () => void): () => void;
  /**
   * To be called first in a transaction. Rejects with a `NotLeadingError` unless this process leads, and no other has since it
   * began to: one that was stopped and goes on may not know.
   */
  check(trx: Transaction<Database>): Promise<void>;
};
