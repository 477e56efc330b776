/** What one gateway has let through towards a limit that holds for all gateways together. */
export type LimitUse = {
  /** Which limit, and whose. It is kept as a digest alone. */
  readonly name: string;
  /** How much may go at once, and how much comes back in a minute. */
  readonly burst: number;
  readonly perMinute: number;
  /** How much was let through since the last word about it. */
  readonly used: number;
};

/** Limits that one call may be about. */
export const maxLimitUses = 1_000;
