/** What processes that share the ledger of a chain is bounded by, in milliseconds. */
export const sharingLimits = {
  /** Between two words of the one that keeps the ledger, where nothing changes. */
  betweenWords: 5_000,
  /** Between two looks of the others at what it said, where nothing tells them of it. */
  betweenLooks: 2_000,
  /**
   * After how long without a word the ledger is taken to be kept by no one. Another process leads within ten seconds.
   */
  maxSilence: 30_000,
  /** How long one that asks for the ledger to be brought up to date waits for that. */
  maxWait: 5_000,
} as const;
