/** The service's clock, passed in so that tests can set it. */
export type Clock = {
  /** Unix time in milliseconds. */
  now(): number;
};

/** The clock's time in whole Unix seconds, rounded down. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1_000);
}

/** A time in Unix seconds in readable form: `2026-01-31T08:00:00Z`. */
export function utcTime(moment: number): string {
  return new Date(moment * 1000).toISOString().replace('.000Z', 'Z');
}
