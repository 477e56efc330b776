/** The largest of some integers. */
export function maxBigint(first: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((most, next) => (next > most ? next : most), first);
}

/** The smallest of some integers. */
export function minBigint(first: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((least, next) => (next < least ? next : least), first);
}

/** Quotient of two integers, rounded up. The first must not be negative, the second must be above zero. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
