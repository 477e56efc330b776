const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** What signing in is bounded by. Times are seconds. */
export const signInLimits = {
  /** From a nonce's making to its last use. */
  nonceLifetime: 5 * minute,
  /** How old the `Issued At` of a message may be, and how far ahead of our clock. */
  maxMessageAge: 10 * minute,
  maxClockLead: minute,
  /** A session that nothing used for so long has ended; so has one that is as old as this. */
  maxIdle: 12 * hour,
  maxSessionAge: 7 * day,
  /** Of one wallet, or begun with one authToken, at the same time in an account; the oldest ends. */
  maxSessions: 20,
  /** Ended authTokens of one account that are still listed; the oldest goes. */
  maxEndedAuthTokens: 50,
  /**
   * Accounts that strangers make by signing in: of all there are, of one UTC day, and in that day of one site and of one client
   * address, which for IPv6 are a /48 and a /64.
   */
  maxSignUps: 10_000,
  maxSignUpsPerDay: 200,
  maxSignUpsPerSite: 20,
  maxSignUpsPerClient: 5,
  secondsPerDay: day,
} as const;
