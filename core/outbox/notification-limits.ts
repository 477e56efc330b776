/** Bounds of notifications. Times in seconds unless the name says otherwise. */
export const notificationLimits = {
  /** Waits after failed attempts, in this order. After the last one the delivery has failed. */
  backoffSeconds: [5, 30, 120, 600, 3_600, 21_600],
  /** Most messages waiting for one destination; beyond it the oldest is dropped and marked `dropped`. */
  pendingPerDestination: 10_000,
  /** Most concurrent attempts, in total and to one destination. */
  attemptsAtOnce: 32,
  attemptsAtOnceToOne: 4,
  /** How long a destination that is down is paused: the first wait, doubled each time up to the last. */
  firstRestMs: 5_000,
  maxRestMs: 60_000,
  /** How long running attempts may continue when the service stops, in milliseconds. */
  drainMs: 3_000,
  /** Longest sleep without a check for due messages, in milliseconds. */
  maxSleepMs: 60_000,
  /** Time between two rounds over all gas tanks, and destinations read at once in a round. */
  tankCheckMs: 60_000,
  tankPage: 100,
  /** Least interval between notifications about one failing webhook. */
  webhookNoticeSeconds: 3_600,
  /** Age at which a delivery is deleted from the log, interval of that pruning, and most deletions in one transaction. */
  logSeconds: 30 * 86_400,
  pruneMs: 60_000,
  pruneBatch: 500,
} as const;
