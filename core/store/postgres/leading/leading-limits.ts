/** What choosing the process that leads is bounded by, in milliseconds. */
export const leadingLimits = {
  /** Between two words of the one that leads to the server. */
  betweenWords: 1_000,
  /**
   * After how much silence the server ends the session of the one that leads, and with it the lock: a process that
   * was stopped, or whose line was cut, says nothing.
   */
  maxSilence: 5_000,
  /** Between two attempts of one that does not lead, and before a session that broke is opened again. */
  betweenAttempts: 500,
  /** How long the server may work at one question of the session, which may wait for the writers. */
  statement: 5_000,
} as const;
