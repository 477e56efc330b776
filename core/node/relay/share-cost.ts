/**
 * Shares a cost in proportion to weights, in wei. The shares add up to the cost exactly: each is what the running sum of
 * weights comes to, less what was given before. With no weight at all the first bears it.
 */
export function shareCost(cost: bigint, weights: readonly bigint[]): readonly bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? cost : 0n));
  let [reached, given] = [0n, 0n];
  return weights.map((weight) => {
    reached += weight;
    const share = (cost * reached) / total - given;
    given += share;
    return share;
  });
}
