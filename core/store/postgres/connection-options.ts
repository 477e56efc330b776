import pg from 'pg';
import type { Secret } from '../../base/values/secret.ts';

/** The limits of one process at a PostgreSQL server. */
export const postgresLimits = {
  /** The oldest server: `server_version_num` of PostgreSQL 14. */
  minServerVersion: 140_000,
  /** Connections in addition to the writing one: for the service's own queries, and for what accounts and long checks read. */
  maxQueryConnections: 4,
  maxReadConnections: 2,
  /** Longest time to open a connection, in milliseconds. */
  connectMs: 5_000,
  /** Time limit of a statement, and of one in a large read, in milliseconds. */
  statementMs: 30_000,
  readStatementMs: 120_000,
  /** Time limit of a statement that changes the schema or moves a database, which may read and write all rows, in milliseconds. */
  wholeTableMs: 3_600_000,
  /** How long a statement waits for a lock of another process, including the writers' lock, in milliseconds. */
  lockMs: 10_000,
  /** Milliseconds beyond a statement's time limit after which its answer is no longer awaited. */
  answerMs: 5_000,
  /**
   * Silence within a transaction after which the server ends the connection and its locks, in milliseconds: otherwise all
   * writers would wait for a process that stopped in the middle.
   */
  idleInTransactionMs: 5_000,
  /** How long an idle connection for reading stays open, in milliseconds. */
  idleMs: 60_000,
  /** Seconds of silence before either side probes the other, and between the three probes. */
  keepAliveSeconds: 30,
  keepAliveEverySeconds: 10,
  keepAliveCount: 3,
  /** How long the outcome of an unanswered commit is queried, in milliseconds. */
  commitFateMs: 10_000,
} as const;

/** SQL for the notification channel of a schema. It is a digest, since a channel name cannot be as long as a schema name. */
export const channelName = "'tollfree_' || md5(current_schema())";

/** Object ids of server types whose values are converted differently from the driver's default. */
const oids = { bool: 16, int8: 20, numeric: 1_700 } as const;

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map([
  // As in SQLite.
  [oids.bool, (text) => (text === 't' ? 1 : 0)],
  [oids.int8, readInteger],
  // The sum of a BIGINT column.
  [oids.numeric, readInteger],
]);

/** Options for connections to a server, with the time limit of a statement. */
export function connectionOptions(url: Secret<string>, statementMs: number): pg.ClientConfig {
  return {
    connectionString: url.reveal(),
    application_name: 'tollfree',
    connectionTimeoutMillis: postgresLimits.connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + postgresLimits.answerMs,
    lock_timeout: postgresLimits.lockMs,
    idle_in_transaction_session_timeout: postgresLimits.idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: postgresLimits.keepAliveSeconds * 1_000,
    types: {
      // pg's types distinguish parsers for text and binary; binary is never requested.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/** Throws instead of silently rounding. */
function readInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError('A number of the database is out of range.');
  return number;
}
