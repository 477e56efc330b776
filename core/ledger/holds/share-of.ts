/** Shares count in millionths. */
const millionths = 1_000_000;

/** A share of an amount (wei, or millionths of a USD), without fractions. */
export function shareOf(amount: bigint, share: number): bigint {
  return (amount * BigInt(Math.round(share * millionths))) / BigInt(millionths);
}
