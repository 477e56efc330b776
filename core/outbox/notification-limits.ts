/** Bounds of notifications. Times in seconds unless the name says otherwise. */
export const notificationLimits = {
  /** Waits after a failed attempt, in this order. When the last is used up the delivery has failed. */
  backoffSeconds: [5, 30, 120, 600, 3_600, 21_600],
  /** Messages that may wait for one destination; the oldest makes room and is marked `dropped`. */
  pendingPerDestination: 10_000,
  /** Attempts at the same time, in all and to one destination. */
  attemptsAtOnce: 32,
  attemptsAtOnceToOne: 4,
  /** How long a destination that is down is left alone: the first wait, doubled each time up to the last. */
  firstRestMs: 5_000,
  maxRestMs: 60_000,
  /** How long attempts under way may go on when the service stops, in milliseconds. */
  drainMs: 3_000,
  /** Longest sleep without a look at what is due, in milliseconds. */
  maxSleepMs: 60_000,
  /** Time between two rounds of all gas tanks, and destinations read at once in a round. */
  tankCheckMs: 60_000,
  tankPage: 100,
  /** An account holder is told about one failing webhook at most so often. */
  webhookNoticeSeconds: 3_600,
  /** Age at which a delivery leaves the log, time between two looks for such, and how many go in one transaction. */
  logSeconds: 30 * 86_400,
  pruneMs: 60_000,
  pruneBatch: 500,
} as const;
