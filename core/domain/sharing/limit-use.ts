/** What one gateway has let through towards a limit that holds for all gateways together. */
export type LimitUse = {
  /** Which limit, and whose. It is kept as a digest alone. */
  readonly name: string;
  /** How much may go at once, and how much comes back in a minute. */
  readonly burst: number;
  readonly perMinute: number;
  /** How much was let through since the last word about it. */
  readonly used: number;
  /** Milliseconds since the first of it was let through. */
  readonly beganMsAgo: number;
};

/** What a limit has come to by the uses of all gateways. */
export type LimitLevel = {
  /** What all have left together, in thousandths; below 0 where they have let through too much. */
  readonly left: number;
  /** All that was ever told of, by which a gateway sees whether others had a part in it. It may begin again at 0. */
  readonly used: number;
};

/** Limits that one call may be about. */
export const maxLimitUses = 1_000;
