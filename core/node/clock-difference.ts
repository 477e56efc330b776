/** By how much our clock and the newest block may differ where the configuration does not say, in seconds. */
export const defaultMaxClockDifference = 300;

/**
 * Why nothing may be signed by these two clocks, in words; Unix seconds. Either ours is wrong, and with it the end of every
 * signature, or the chain stands still.
 */
export function clockFault(
  now: number,
  headTime: number,
  maxDifference: number = defaultMaxClockDifference,
): string | undefined {
  const difference = now - headTime;
  if (Math.abs(difference) <= maxDifference) return undefined;
  const way = difference > 0 ? 'older' : 'newer';
  return `the newest block is ${Math.abs(difference)} seconds ${way} than this machine's clock`;
}
