/** Time limits for processes that share the ledger of a chain, in milliseconds. */
export const sharingLimits = {
  /** Interval of the leader's reports when nothing changes. */
  betweenWords: 5_000,
  /** Interval at which the others read the report when they are not notified. */
  betweenLooks: 2_000,
  /** Without a report for this long, the ledger counts as kept by no one. Another process leads within ten seconds. */
  maxSilence: 30_000,
  /** How long a request to update the ledger waits. */
  maxWait: 5_000,
} as const;
