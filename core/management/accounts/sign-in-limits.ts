const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Bounds of signing in. Times are seconds. */
export const signInLimits = {
  /** From a nonce's creation to its last use. */
  nonceLifetime: 5 * minute,
  /** How old the `Issued At` of a message may be, and how far ahead of our clock. */
  maxMessageAge: 10 * minute,
  maxClockLead: minute,
  /** A session ends when it was unused for this long, or has reached this age. */
  maxIdle: 12 * hour,
  maxSessionAge: 7 * day,
  /** Most concurrent sessions per account of one wallet, or begun with one authToken; the oldest ends. */
  maxSessions: 20,
  /** Most ended authTokens of one account that are still listed; the oldest is deleted. */
  maxEndedAuthTokens: 50,
  /**
   * Accounts created by sign-ups: in total, per UTC day, and in that day per site and per client address, which for IPv6 are
   * a /48 and a /64.
   */
  maxSignUps: 10_000,
  maxSignUpsPerDay: 200,
  maxSignUpsPerSite: 20,
  maxSignUpsPerClient: 5,
  secondsPerDay: day,
} as const;
