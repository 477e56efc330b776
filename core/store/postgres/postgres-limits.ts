/** The limits of one process at a PostgreSQL server. */
export const postgresLimits = {
  /** The oldest server: `server_version_num` of PostgreSQL 14. */
  minServerVersion: 140_000,
  /** Connections in addition to the writing one: for single queries, and for large reads. */
  maxQueryConnections: 4,
  maxReadConnections: 2,
  /** Longest time to open a connection, in milliseconds. */
  connectMs: 5_000,
  /** Time limit of a statement, and of one in a large read, in milliseconds. */
  statementMs: 30_000,
  readStatementMs: 120_000,
  /** The same for changing the schema or moving a database, which may read and write all rows. */
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
