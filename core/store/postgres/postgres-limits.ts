/** The bounds of one process at a PostgreSQL server. */
export const postgresLimits = {
  /** The oldest server: `server_version_num` of PostgreSQL 14. */
  minServerVersion: 140_000,
  /** Connections next to the one that writes: for single queries, and for readings of many rows. */
  maxQueryConnections: 4,
  maxReadConnections: 2,
  /** How long a connection may take to open, in milliseconds. */
  connectMs: 5_000,
  /** How long the server works at one statement, and at one of a reading, in milliseconds. */
  statementMs: 30_000,
  readStatementMs: 120_000,
  /** The same of one that changes the schema, or moves a database: it may have to read, and write, all rows there are. */
  wholeTableMs: 3_600_000,
  /** How long a statement waits for a lock of another process, that of the writers included, in milliseconds. */
  lockMs: 10_000,
  /** Milliseconds beyond the time of a statement after which an answer is not waited for any more. */
  answerMs: 5_000,
  /**
   * After how much silence within a transaction the server ends the connection, and with it the locks, in milliseconds: all
   * writers wait for a process that was stopped in the middle of one.
   */
  idleInTransactionMs: 5_000,
  /** How long an idle connection for reading stays open, in milliseconds. */
  idleMs: 60_000,
  /** Seconds of silence after which either side asks whether the other is still there, and between the three questions. */
  keepAliveSeconds: 30,
  keepAliveEverySeconds: 10,
  keepAliveCount: 3,
  /** How long it is asked what became of a transaction whose commit was not answered, in milliseconds. */
  commitFateMs: 10_000,
} as const;
