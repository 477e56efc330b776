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

/** Rounded up to two digits, or to a multiple of `least` if that is more. */
export function roundUp(amount: bigint, least = 1n): bigint {
  const unit = maxBigint(10n ** BigInt(Math.max(amount.toString().length - 2, 0)), least);
  return divideUp(amount, unit) * unit;
}
