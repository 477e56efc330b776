/** Time limits of leader election, in milliseconds. */
export const leadingLimits = {
  /** Interval of the leader's messages to the server. */
  betweenWords: 1_000,
  /**
   * Silence after which the server ends the leader's session, and with it the lock: a stopped or disconnected process sends
   * nothing.
   */
  maxSilence: 5_000,
  /** Between two attempts to become the leader, and before a broken session is opened again. */
  betweenAttempts: 500,
  /** Time limit of a statement in the session, which may have to wait for the writers. */
  statement: 5_000,
} as const;
